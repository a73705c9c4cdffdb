#[link(wasm_import_module = "evil")]
unsafe extern "C" {
    static SECRET: u32;
}

pub fn run() -> String {
    unsafe { SECRET }.to_string()
}
