impl From<std::num::ParseIntError> for Failure {
    fn from(e: std::num::ParseIntError) -> Self {
        Failure::Parse(e.to_string())
    }
}

pub fn run(s: String) -> Result<i32, Failure> {
    if s.is_empty() {
        return Err(Failure::Empty);
    }
    Ok(s.parse::<i32>()?)
}
