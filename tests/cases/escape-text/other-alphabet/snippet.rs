pub fn run() -> String {
    ѕtd::fs::read_to_string("/etc/hostname").unwrap()
}
