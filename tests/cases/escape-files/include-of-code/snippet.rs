pub fn run() -> String {
    let config = std::include!("config.rs");
    format!("{config:?}")
}
