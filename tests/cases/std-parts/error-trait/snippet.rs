#[derive(Debug)] struct Bad(u8);
impl std::fmt::Display for Bad { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, "bad {}", self.0) } }
impl std::error::Error for Bad {}
fn f() -> Result<(), Box<dyn std::error::Error + Send + Sync>> { Err(Bad(3))? }
f().unwrap_err().to_string()