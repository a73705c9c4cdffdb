trait Named {
    #[unsafe(export_name = "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE")]
    fn call(&self) -> u32 { 7 }
}
impl Named for u8 {}
pub fn run() -> String { 1u8.call().to_string() }
