pub fn run(name: String) -> u32 {
    let entry = repo::Entry { path: name.clone(), size: 1 };
    let note = Some(name);
    repo::save(&entry, note)
}
