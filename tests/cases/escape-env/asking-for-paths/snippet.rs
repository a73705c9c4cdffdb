#[cfg(accessible(std::fs))]
pub fn run() -> String { "yes".into() }
#[cfg(not(accessible(std::fs)))]
pub fn run() -> String { "no".into() }
