thread_local! {
    #[allow(unsafe_code)]
    static STATE: u32 = unsafe { std::mem::zeroed() };
}
pub fn run() -> String { STATE.with(|n| n.to_string()) }
