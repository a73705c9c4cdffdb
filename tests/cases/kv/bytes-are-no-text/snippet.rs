pub fn run() -> String {
    store::get("note").unwrap().unwrap_or_default()
}
