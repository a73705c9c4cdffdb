pub fn run(n: u32) -> Result<String, String> {
    if n > 10 {
        return Err("too large");
    }
    Ok(format!("{n}"))
}
