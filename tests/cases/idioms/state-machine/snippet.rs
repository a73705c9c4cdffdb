#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    InWord,
    InQuote(char),
    Done,
}
use State::*;
pub fn run(text: String) -> String {
    let mut st = Start;
    let mut out: Vec<String> = Vec::new();
    let mut cur = String::new();
    for c in text.chars() {
        st = match (st, c) {
            (Start, c) if c.is_whitespace() => Start,
            (Start | InWord, q @ ('"' | '\'')) => InQuote(q),
            (InQuote(q), c) if c == q => InWord,
            (InQuote(q), c) => {
                cur.push(c);
                InQuote(q)
            }
            (InWord, c) if c.is_whitespace() => {
                out.push(std::mem::take(&mut cur));
                Start
            }
            (_, c) => {
                cur.push(c);
                InWord
            }
        };
    }
    if !cur.is_empty() {
        out.push(cur);
        st = Done;
    }
    format!("{out:?}{st:?}")
}
