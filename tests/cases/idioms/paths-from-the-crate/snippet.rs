#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub text: String,
}
pub mod lexer {
    use crate::Token;
    pub fn lex(s: &str) -> Vec<Token> {
        s.split(' ').map(|t| Token { text: t.to_string() }).collect()
    }
}
mod helpers {
    pub(crate) fn double(x: usize) -> usize {
        x * 2
    }
}
pub fn run(text: String) -> String {
    crate::lexer::lex(&text).len().to_string() + &crate::helpers::double(2).to_string()
}
