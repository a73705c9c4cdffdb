struct String;
pub fn run() -> std::string::String { let _ = String; "s".into() }
