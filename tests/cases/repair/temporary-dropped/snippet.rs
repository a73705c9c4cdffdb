pub fn run(text: String) -> u32 {
    let mut words: Vec<&str> = text.to_lowercase().split(' ').collect();
    words.dedup();
    words.len() as u32
}
