pub fn run(names: Vec<String>) -> String {
    names.iter().map(|name| name.to_uppercase()).join(", ")
}
