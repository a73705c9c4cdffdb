pub fn run(names: Vec<String>) -> u32 {
    let mut longest = 0;
    for name in names {
        longest = longest.max(name.len());
    }
    (longest + names.len()) as u32
}
