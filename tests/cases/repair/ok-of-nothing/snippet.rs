pub fn run(path: String) -> Result<(), String> {
    for entry in repo::entries() {
        repo::copy(&path, &entry.path)?;
    }
}
