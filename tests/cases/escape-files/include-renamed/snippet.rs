use core::include_str as read;
pub fn run() -> String {
    read!("/etc/hostname").to_string()
}
