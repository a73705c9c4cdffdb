pub fn run(names: Vec<String>) -> Vec<String> {
    names.iter().map(|name| name.as_str()).intersperse("-").map(str::to_string).collect()
}
