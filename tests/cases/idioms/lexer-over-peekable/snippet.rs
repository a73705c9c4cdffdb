use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Num(f64),
    Op(char),
    LParen,
    RParen,
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
}

impl<'a> Lexer<'a> {
    fn new(input: &'a str) -> Self {
        Lexer {
            chars: input.chars().peekable(),
        }
    }
    fn tokens(&mut self) -> Result<Vec<Token>, String> {
        let mut out = Vec::new();
        while let Some(&c) = self.chars.peek() {
            match c {
                ' ' | '\t' => {
                    self.chars.next();
                }
                '0'..='9' | '.' => {
                    let mut s = String::new();
                    while let Some(d) = self.chars.next_if(|d| d.is_ascii_digit() || *d == '.') {
                        s.push(d);
                    }
                    out.push(Token::Num(
                        s.parse().map_err(|e: std::num::ParseFloatError| e.to_string())?,
                    ));
                }
                '+' | '-' | '*' | '/' => {
                    out.push(Token::Op(c));
                    self.chars.next();
                }
                '(' => {
                    out.push(Token::LParen);
                    self.chars.next();
                }
                ')' => {
                    out.push(Token::RParen);
                    self.chars.next();
                }
                other => return Err(format!("unexpected '{}'", other)),
            }
        }
        Ok(out)
    }
}

pub fn run(text: String) -> String {
    match Lexer::new(&text).tokens() {
        Ok(t) => format!("{:?}", t),
        Err(e) => e,
    }
}
