pub fn run(names: Vec<String>) -> String {
    let Some(first) = names.first();
    first.to_string()
}
