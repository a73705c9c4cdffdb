#[used]
#[unsafe(link_section = "evil")]
static EVIL: [u8; 4] = *b"evil";

pub fn run() -> String {
    String::new()
}
