macro_rules! marked {
    ($mark:meta) => { #[$mark] pub struct Marked; };
}
marked!(debugger_visualizer(gdb_script_file = "/etc/passwd"));
pub fn run() -> String { String::new() }
