use std::fmt::*;

struct Tag(u32);

impl Display for Tag {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result { write!(f, "#{}", self.0) }
}

pub fn run(n: u32) -> Result<u32, String> {
    Ok(Tag(n).to_string().len() as u32)
}
