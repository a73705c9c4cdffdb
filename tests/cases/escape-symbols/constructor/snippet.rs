fn early() {}
#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: fn() = early;
pub fn run() -> String { String::new() }
