pub fn run() -> String {
    let bits: u64 = unsafe { core::mem::transmute(1.5f64) };
    bits.to_string()
}
