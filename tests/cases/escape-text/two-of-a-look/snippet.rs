fn rеad() -> String { "own".into() }
pub fn run() -> String { read() }
