mod fs {
    pub fn read(path: &str) -> String { format!("<{path}>") }
}
macro_rules! include_str { ($path:literal) => { fs::read($path) }; }
struct File(String);
pub fn run() -> String {
    let file = File(include_str!("/etc/hostname"));
    file.0 + &stringify!(include_str!("x"))
}
