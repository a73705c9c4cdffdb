#[link(wasm_import_module = "evil")]
unsafe extern "C" {
    fn steal();
}

pub fn run() -> String {
    unsafe { steal() };
    String::new()
}
