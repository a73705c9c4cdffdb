#[path = "/etc/passwd"]
mod users;

pub fn run() -> String {
    String::new()
}
