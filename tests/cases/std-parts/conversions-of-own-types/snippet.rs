use std::{borrow::Cow, ops::{Deref, Index}, str::FromStr};
#[derive(Debug, Clone, Copy, PartialEq)]
struct Color([u8; 3]);
impl FromStr for Color {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        if s.len() != 7 { return Err(format!("not 7 characters: {}", s.len())); }
        let part = |at: usize| u8::from_str_radix(&s[at..at + 2], 16).map_err(|e| e.to_string());
        Ok(Color([part(1)?, part(3)?, part(5)?]))
    }
}
#[derive(Debug)]
struct Dark(Color);
impl TryFrom<Color> for Dark {
    type Error = &'static str;
    fn try_from(c: Color) -> Result<Self, Self::Error> { if c.iter().all(|x| *x < 128) { Ok(Dark(c)) } else { Err("too bright") } }
}
impl Deref for Color { type Target = [u8; 3]; fn deref(&self) -> &[u8; 3] { &self.0 } }
impl Index<char> for Color { type Output = u8; fn index(&self, c: char) -> &u8 { match c { 'r' => &self.0[0], 'g' => &self.0[1], _ => &self.0[2] } } }
impl From<Color> for String { fn from(c: Color) -> String { format!("#{:02X}{:02X}{:02X}", c.0[0], c['g'], c['b']) } }
fn clean(s: &str) -> Cow<'_, str> { if s.contains(' ') { s.replace(' ', "_").into() } else { Cow::Borrowed(s) } }
let kind = |c: Cow<str>| match c { Cow::Owned(s) => s + " owned", Cow::Borrowed(s) => format!("{s} borrowed") };
let color: Color = s.parse().unwrap_or(Color([0; 3]));
vec![
    format!("{} {} {}", color.0[0], color.0[1], color[' ']),
    format!("{:?}", "#ab".parse::<Color>()),
    format!("{:?}", Dark::try_from(color).map(|d| d.0)),
    String::from(color),
    color['g'].to_string(),
    kind(clean("a b")),
    kind(clean("ab")),
    format!("{:?}", u8::try_from(-1i32)),
    format!("{:?}", (255u8 as i8, -1i32 as u8, 300u16 as u8)),
]
