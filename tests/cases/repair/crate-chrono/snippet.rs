use chrono::Utc;

pub fn run() -> String {
    Utc::now().format("%Y-%m-%d").to_string()
}
