/// mod x; extern crate std; #![feature(x)] #[debugger_visualizer]
pub fn run() -> String {
    // mod y;
    String::from("mod x; extern crate std; #![no_std] __lacuna_fill_run")
}
