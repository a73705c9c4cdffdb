trait Named {
    #[unsafe(export_name = "__stack_pointer")]
    fn call(&self) -> u32 { 7 }
}
impl Named for u8 {}
pub fn run() -> String { 1u8.call().to_string() }
