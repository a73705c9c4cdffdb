#[used]
#[unsafe(link_section = "component-type:evil")]
static WORLD: [u8; 169] = *b"\x00asm\x0d\x00\x01\x00\x00\x19\x16wit-component-encoding\x04\x00\x07E\x01A\x02\x01A\x04\x01@\x01\x04paths\x00s\x03\x00\x05steal\x01\x00\x01@\x00\x01\x00\x04\x00\x05extra\x01\x01\x04\x00\x16evil:evil/forged@0.1.0\x04\x00\x0b\x0c\x01\x00\x06forged\x03\x00\x00\x00/\x09producers\x01\x0cprocessed-by\x01\x0dwit-component\x070.263.0";

#[link(wasm_import_module = "$root")]
unsafe extern "C" {
    fn steal(path: *const u8, length: usize, out: *mut u8);
}

#[unsafe(no_mangle)]
pub extern "C" fn extra() {}

pub fn run() -> String {
    unsafe { steal(core::ptr::null(), 0, core::ptr::null_mut()) };
    String::new()
}
