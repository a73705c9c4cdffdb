pub fn run(text: String) -> u32 {
    let most = std::u32::MAX;
    text.trim_left().len() as u32 % most
}
