macro_rules! env { ($name:literal) => { concat!("<", $name, ">") }; }
pub fn run() -> String { env!("HOME").to_string() }
