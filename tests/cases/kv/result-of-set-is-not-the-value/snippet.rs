pub fn run() -> String {
    let text = out::set_text("a", "b").unwrap();
    text
}
