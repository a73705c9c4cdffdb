pub fn run(text: String) -> Result<u32, Problem> {
    let first = text.lines().next().ok_or(Problem::Empty)?;
    let number: u32 = first.trim().parse()?;
    Ok(number)
}
