type Result<T> = std::result::Result<T, String>;
fn f() -> Result<u32> { Ok(3) }
pub fn run() -> Result<u32> { f() }