pub fn run(text: String) -> String {
    let n: u32 = text.chars().map(|c| c as u32 - '0').sum();
    n.to_string()
}
