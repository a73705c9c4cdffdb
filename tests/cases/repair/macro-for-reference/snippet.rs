pub fn run(path: String) -> u32 {
    repo::copy(format!("{path}.bak"), &path).map_or(0, |()| 1)
}
