pub fn run() -> Finding {
    Finding::new("unused", 2)
}
