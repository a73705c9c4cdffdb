#[unsafe(no_mangle)]
mod inner { pub fn name() -> String { "plain".into() } }
struct Plain;
#[unsafe(no_mangle)]
impl Plain { const NAME: u8 = 1; }
pub fn run() -> String { inner::name() + &Plain::NAME.to_string() }
