#[debugger_visualizer(gdb_script_file = "/etc/passwd")]
mod shown {}

pub fn run() -> String {
    String::new()
}
