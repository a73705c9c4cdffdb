macro_rules! all { ($root:ident) => { use ::$root::*; use $root::scope as granted; }; }
all!(bindings);
pub fn run() -> String { String::new() }
