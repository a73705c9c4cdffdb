pub fn run() -> String {
    #[unsafe(link_section = "component-type:evil")]
    #[used]
    static WORLD: [u8; 4] = *b"EVIL";
    WORLD.len().to_string()
}
