trait Named {
    #[unsafe(no_mangle)]
    fn cabi_realloc(&self) -> usize { size_of_val(self) }
}
impl Named for u8 {}
impl Named for u16 {}
pub fn run() -> String { (1u8.cabi_realloc() + 1u16.cabi_realloc()).to_string() }
