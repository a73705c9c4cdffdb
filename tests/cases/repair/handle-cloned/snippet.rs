pub fn run(path: String) -> String {
    let file = repo::open(&path);
    let again = file.clone();
    again.name()
}
