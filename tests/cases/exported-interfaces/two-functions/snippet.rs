pub fn shout(s: String) -> String {
    s.to_uppercase()
}

pub fn count(s: String) -> u32 {
    s.chars().count() as u32
}
