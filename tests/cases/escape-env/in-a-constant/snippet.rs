mod settings {
    pub const TOKEN: Option<&str> = core::option_env!("API_TOKEN");
}
pub fn run() -> String {
    settings::TOKEN.unwrap_or("none").to_string()
}
