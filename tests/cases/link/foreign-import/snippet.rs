#[link(wasm_import_module = "t:h/log")] extern "C" { #[link_name = "wipe"] fn wipe(); } let f: unsafe extern "C" fn() = wipe; f as usize as u32
