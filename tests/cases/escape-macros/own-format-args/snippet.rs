macro_rules! format_args { ($($text:tt)*) => { compile_error!("never") }; }
macro_rules! stringify { ($($text:tt)*) => { "mine" }; }
pub fn run() -> String {
    println!("{}", 1);
    dbg!(1 + 1);
    format!("{} {}", stringify!(a), format!("{:02}", 7))
}
