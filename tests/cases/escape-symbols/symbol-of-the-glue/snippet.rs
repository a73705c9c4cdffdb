trait Named {
    #[unsafe(export_name = "__lacuna_fill_run")]
    fn call(&self) -> String { "mine".into() }
}
impl Named for u8 {}
pub fn run() -> String { 1u8.call() }
