pub fn throw() -> Result<i64, String> {
    random::integer(1, 6)
}

pub fn float() -> f64 {
    random::float()
}
