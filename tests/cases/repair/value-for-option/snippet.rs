pub fn run(names: Vec<String>) -> Option<String> {
    for name in names {
        if name.starts_with('a') {
            return name;
        }
    }
    None
}
