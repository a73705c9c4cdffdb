use alloc::alloc::Global;
pub fn run() -> String {
    let list: Vec<u8, Global> = Vec::new();
    alloc::__export::format_args!("{list:?}").to_string()
}
