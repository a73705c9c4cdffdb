fn größe(名前: &str) -> usize { 名前.chars().count() }
pub fn run() -> String { größe("日本語").to_string() }
