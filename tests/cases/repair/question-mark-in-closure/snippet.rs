pub fn run(lines: Vec<String>) -> Result<Vec<u32>, String> {
    let numbers = lines.iter().map(|line| line.parse::<u32>().map_err(|e| e.to_string())?).collect();
    Ok(numbers)
}
