macro_rules! call {
    ($start:ident $end:ident) => { ${concat($start, $end)}!("/etc/hostname") };
}
pub fn run() -> String { call!(include _str).to_string() }
