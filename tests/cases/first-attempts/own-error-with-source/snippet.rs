use std::fmt;

#[derive(Debug)]
enum AppError {
    Tool(tools::Failure),
    Number(std::num::ParseIntError),
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            AppError::Tool(error) => write!(f, "tool: {error}"),
            AppError::Number(error) => write!(f, "number: {error}"),
        }
    }
}

impl std::error::Error for AppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AppError::Tool(error) => Some(error),
            AppError::Number(error) => Some(error),
        }
    }
}

impl From<tools::Failure> for AppError {
    fn from(error: tools::Failure) -> Self {
        AppError::Tool(error)
    }
}

impl From<std::num::ParseIntError> for AppError {
    fn from(error: std::num::ParseIntError) -> Self {
        AppError::Number(error)
    }
}

fn number(path: &str) -> Result<u32, AppError> {
    Ok(tools::read(path)?.trim().parse::<u32>()?)
}

pub fn run(which: u32) -> Result<String, String> {
    use std::error::Error as _;
    let error = number("a.txt").err().ok_or("no error")?;
    let source = error.source().map(|source| source.to_string()).unwrap_or_default();
    Ok(format!("{which} {error} <- {source}"))
}
