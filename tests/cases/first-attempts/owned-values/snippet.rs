pub fn run(name: String) -> u32 {
    let entry = repo::Entry { path: name.clone(), size: 1 };
    let names = vec![name.clone()];
    repo::read_text(name);
    repo::save(entry, None) + repo::store(names, vec![1])
}
