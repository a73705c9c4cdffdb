fn __lacuna_fill_run() -> String { String::new() }
macro_rules! through { ($name:ident) => { ::$name::log("x") }; }
pub fn run() -> String { through!(lacuna_rt); __lacuna_fill_run() }
