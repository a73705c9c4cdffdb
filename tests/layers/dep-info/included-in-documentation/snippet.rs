#[doc = include_str!("/etc/passwd")]
fn documented() {}

pub fn run() -> String {
    documented();
    String::new()
}
