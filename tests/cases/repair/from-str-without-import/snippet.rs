pub fn run(text: String) -> u32 {
    text.split(' ').filter_map(|part| u32::from_str(part).ok()).sum()
}
