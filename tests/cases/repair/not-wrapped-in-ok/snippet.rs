pub fn run(text: String) -> Result<u32, String> {
    let number: u32 = text.trim().parse().map_err(|_| format!("no number: {text}"))?;
    number * 2
}
