pub fn run() -> String {
    let bytes = include_bytes!("../../../../../../../../../../../../../../../../../../etc/passwd");
    String::from_utf8_lossy(bytes).into_owned()
}
