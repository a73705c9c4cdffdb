/// Nothing unsafe here.
fn is_there(f: Option<unsafe fn(u8) -> u8>) -> bool { f.is_some() }
pub fn run() -> String {
    let r#unsafe = "unsafe { }";
    format!("{} {}", r#unsafe, is_there(None))
}
