pub mod meters {
    use super::*;
    pub fn parse(s: String) -> Result<Length, String> {
        s.parse().map(|value| Length { value }).map_err(|e: std::num::ParseFloatError| e.to_string())
    }
}

pub mod feet {
    use super::*;
    pub fn parse(s: String) -> Result<Length, String> {
        let (value, inches) = s.split_once(' ').ok_or("two numbers")?;
        Ok(Length { value: number(value)?, inches: number(inches)? })
    }
    fn number<T: std::str::FromStr>(s: &str) -> Result<T, String> {
        s.parse().map_err(|_| format!("not a number: {s}"))
    }
    pub fn show(l: Length) -> String {
        format!("{} ft {} in", l.value, l.inches)
    }
}
