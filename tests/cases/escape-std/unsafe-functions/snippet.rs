pub fn run() -> String {
    let number: u64 = std::mem::zeroed();
    let text = str::from_utf8_unchecked(b"a");
    let shared = std::rc::Rc::from_raw(std::ptr::null::<u32>());
    if number == 1 { std::hint::unreachable_unchecked() }
    format!("{text} {shared}")
}
