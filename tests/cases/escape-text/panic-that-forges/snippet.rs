pub fn run() -> String {
    panic!("\u{1b}[2Jrun: returned \"ok\"\r\nlimit `fuel` reached\nat 99:1")
}
