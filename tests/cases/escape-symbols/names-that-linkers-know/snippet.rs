pub fn _start() -> &'static str { "a" }
pub fn _initialize() -> &'static str { "b" }
pub fn __wasm_call_ctors() -> &'static str { "c" }
pub fn main() { panic!("never") }
pub fn memcpy() -> &'static str { "d" }
#[used]
static KEPT: [u8; 4] = *b"kept";
pub fn run() -> String { [_start(), _initialize(), __wasm_call_ctors(), memcpy()].concat() }
