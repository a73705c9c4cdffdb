pub fn run() -> String {
    r#include_str!("/etc/hostname").to_string()
}
