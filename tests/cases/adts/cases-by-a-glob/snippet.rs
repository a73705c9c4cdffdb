use ParseError::*;
use Tint::{self as Colour, Red};

fn one(word: &str) -> Result<Colour, ParseError> {
    match word {
        "" => Err(Empty),
        "red" => Ok(Red),
        "blue" => Ok(Tint::Blue),
        other => Err(Bad(other.to_string())),
    }
}

pub fn run(text: String) -> Vec<Result<Tint, ParseError>> {
    let last = Both { color: Red, error: None };
    assert!(matches!(last.color, Colour::Red));
    text.split(',').map(one).collect()
}
