struct Parser<'a> {
    input: &'a str,
    pos: usize,
}
impl<'a> Parser<'a> {
    fn new(input: &'a str) -> Self {
        Self { input, pos: 0 }
    }
    fn rest(&self) -> &'a str {
        &self.input[self.pos..]
    }
    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest().trim_start();
        self.pos = self.input.len() - rest.len();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        self.pos += end;
        Some(&rest[..end])
    }
}
impl<'a> Iterator for Parser<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.word()
    }
}
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() >= b.len() { a } else { b }
}
pub fn run(text: String) -> String {
    let p = Parser::new(&text);
    let v: Vec<_> = p.collect();
    v.iter().fold("", |a, b| longest(a, b)).to_string()
}
