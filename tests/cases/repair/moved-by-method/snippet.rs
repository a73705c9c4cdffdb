pub fn run(names: Vec<String>) -> String {
    let upper: Vec<String> = names.into_iter().map(|name| name.to_uppercase()).collect();
    format!("{} of {}", upper.len(), names.len())
}
