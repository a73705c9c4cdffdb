use std::sync::LazyLock;
static HOME: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("HOME").ok());
pub fn run() -> String {
    let arguments: Vec<String> = std::env::args().collect();
    format!("{:?} {arguments:?}", *HOME)
}
