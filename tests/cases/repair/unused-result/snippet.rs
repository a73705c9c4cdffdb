pub fn run(path: String) -> u32 {
    repo::copy(&path, "b");
    1
}
