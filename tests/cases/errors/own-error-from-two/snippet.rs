use std::{error::Error, fmt, num::ParseIntError, str::Utf8Error};
#[derive(Debug)]
enum Failure { Number { text: String, source: ParseIntError }, Text(Utf8Error), Shape(&'static str) }
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { text, source } => write!(f, "bad number in `{text}`: {source}"),
            Self::Text(e) => write!(f, "{e}"),
            Self::Shape(why) => f.write_str(why),
        }
    }
}
impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> { match self { Self::Number { source, .. } => Some(source), Self::Text(e) => Some(e), Self::Shape(_) => None } }
}
impl From<Utf8Error> for Failure { fn from(e: Utf8Error) -> Self { Self::Text(e) } }
fn parse(line: &[u8]) -> Result<i32, Failure> {
    let text = std::str::from_utf8(line)?;
    let (_, pair) = text.split_once(';').ok_or(Failure::Shape("no semicolon"))?;
    let value = pair.split('=').nth(1).ok_or(Failure::Shape("no value"))?;
    value.parse().map_err(|source| Failure::Number { text: value.to_owned(), source })
}
parse(line.as_bytes()).map_err(|e| { assert!(e.source().is_some()); e.to_string() })
