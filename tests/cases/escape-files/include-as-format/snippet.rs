pub fn run() -> String {
    format!(core::include_str!("/etc/hostname"))
}
