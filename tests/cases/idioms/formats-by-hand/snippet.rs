use std::fmt::{self, Display, Formatter, Result};
struct P(i32);
impl Display for P {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write!(f, "<{}>", self.0)
    }
}
impl fmt::Debug for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("P").field(&self.0).finish()
    }
}
impl fmt::LowerHex for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}
pub fn run(text: String) -> String {
    format!("{:>8}|{:?}|{:x}", P(1).to_string(), P(2), P(255)) + &text
}
