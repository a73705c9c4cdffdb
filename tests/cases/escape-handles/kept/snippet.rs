use std::sync::OnceLock;
static DIR: OnceLock<repo::Dir> = OnceLock::new();
pub fn run() -> String {
    std::mem::forget(repo::Dir::new());
    DIR.get_or_init(repo::Dir::new).name()
}
