pub fn run(names: list<string>) -> Option<s32> {
    let lengths: Vec<int> = names.iter().map(|name| name.len() as int).collect();
    lengths.into_iter().max()
}
