#[link(wasm_import_module = "maths")]
unsafe extern "C" {
    #[link_name = "halve"]
    fn halve(n: u32) -> u32;
}

pub fn run() -> String {
    let twice = maths::double(4);
    unsafe { halve(twice) }.to_string()
}
