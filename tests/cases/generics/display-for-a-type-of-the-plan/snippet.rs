use std::fmt;

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} {}", self.cents as f64 / 100.0, self.currency)
    }
}

pub fn run(m: Money) -> String {
    m.to_string()
}
