macro_rules! placed { ($($mark:tt)*) => { #[$($mark)*] #[used] static DATA: [u8; 4] = *b"EVIL"; }; }
placed!(unsafe(link_section = "producers"));
pub fn run() -> String { DATA.len().to_string() }
