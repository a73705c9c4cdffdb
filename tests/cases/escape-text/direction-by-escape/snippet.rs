pub fn run() -> String {
    let turned = "a\u{202e}b";
    format!("{} {:?}", turned.chars().count(), turned)
}
