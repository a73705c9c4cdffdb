use std::error::Error;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

#[derive(Debug)]
enum ParseError {
    Missing(&'static str),
    Number(ParseIntError),
    Range { min: i32, max: i32 },
}
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Missing(what) => write!(f, "missing {}", what),
            ParseError::Number(e) => write!(f, "bad number: {e}"),
            Self::Range { min, max } => write!(f, "not in {min}..{max}"),
        }
    }
}
impl Error for ParseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ParseError::Number(e) => Some(e),
            _ => None,
        }
    }
}
impl From<ParseIntError> for ParseError {
    fn from(e: ParseIntError) -> Self {
        ParseError::Number(e)
    }
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Rgb(u8, u8, u8);
impl FromStr for Rgb {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let s = s.strip_prefix('#').ok_or(ParseError::Missing("#"))?;
        if s.len() != 6 {
            return Err(ParseError::Range { min: 6, max: 6 });
        }
        Ok(Rgb(
            u8::from_str_radix(&s[0..2], 16)?,
            u8::from_str_radix(&s[2..4], 16)?,
            u8::from_str_radix(&s[4..6], 16)?,
        ))
    }
}
impl TryFrom<(i32, i32, i32)> for Rgb {
    type Error = Box<dyn Error>;
    fn try_from(t: (i32, i32, i32)) -> Result<Self, Self::Error> {
        Ok(Rgb(
            t.0.try_into()?,
            u8::try_from(t.1)?,
            t.2.try_into().map_err(|_| "blue")?,
        ))
    }
}
fn inner(text: &str) -> Result<String, Box<dyn Error>> {
    let c: Rgb = text.parse()?;
    let d = Rgb::try_from((1, 2, 300)).or_else(|_| Rgb::try_from((1, 2, 3)))?;
    if c == d {
        return Err("same".into());
    }
    Ok(format!("{:?}", c.max(d)))
}
pub fn run(text: String) -> String {
    inner(&text).unwrap_or_else(|e| e.to_string())
}
