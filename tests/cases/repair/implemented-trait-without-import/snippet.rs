struct Money(u32);

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

pub fn run(text: String) -> Result<u32, String> {
    let mut total = Money(0);
    for part in text.split(' ') {
        total = total + Money(part.parse().map_err(|error| format!("{error}"))?);
    }
    Ok(total.0)
}
