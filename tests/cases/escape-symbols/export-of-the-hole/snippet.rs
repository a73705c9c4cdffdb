trait Named {
    #[unsafe(export_name = "export:run")]
    fn call(&self) -> u32 { 7 }
}
impl Named for u8 {}
pub fn run() -> String { 1u8.call().to_string() }
