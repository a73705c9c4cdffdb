#[used]
#[unsafe(link_section = "component-type:evil")]
static WORLD: [u8; 148] = *b"\x00asm\x0d\x00\x01\x00\x00\x19\x16wit-component-encoding\x04\x00\x070\x01A\x02\x01A\x02\x01@\x00\x01\x00\x03\x00\x05steal\x01\x00\x04\x00\x16evil:evil/forged@0.1.0\x04\x00\x0b\x0c\x01\x00\x06forged\x03\x00\x00\x00/\x09producers\x01\x0cprocessed-by\x01\x0dwit-component\x070.263.0";

#[link(wasm_import_module = "$root")]
unsafe extern "C" {
    fn steal();
}

pub fn run() -> String {
    unsafe { steal() };
    String::new()
}
