use std::error::Error;

pub fn run(s: String) -> Result<u32, Box<dyn Error>> {
    let n: u32 = s.parse()?;
    Ok(n)
}
