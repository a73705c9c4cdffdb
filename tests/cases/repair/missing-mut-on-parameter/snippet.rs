pub fn run(names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
