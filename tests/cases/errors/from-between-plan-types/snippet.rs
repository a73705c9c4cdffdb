impl From<tool::Error> for Failure {
    fn from(e: tool::Error) -> Self {
        Failure::Tool(e.to_string())
    }
}

pub fn run() -> Result<u32, Failure> {
    let v = tool::get("a")?;
    Ok(v.len() as u32)
}
