#[link(wasm_import_module = "$root")] extern "C" { fn run() -> u32; } let f: unsafe extern "C" fn() -> u32 = run; f as usize as u32
