#[global_allocator]
static ALLOCATOR: u8 = 1;
#[panic_handler]
fn handler(_: &u8) -> ! { loop {} }
#[lang = "eh_personality"]
fn personality() {}
#[rustc_intrinsic]
fn abort() {}
pub fn run() -> String { String::new() }
