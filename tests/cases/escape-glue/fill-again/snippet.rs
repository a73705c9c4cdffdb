macro_rules! call { ($root:ident, $name:ident) => { $root::$name!(); }; }
mod again {
    use super::run;
    call!(bindings, fill);
}
pub fn run() -> String { "mine".to_string() }
