pub fn run(names: Vec<String>) -> String {
    let entry = &names;
    let first: String = entry[0];
    first
}
