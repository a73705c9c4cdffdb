pub fn run() -> String {
    alloc::__export::format_args!("{}", 1);
    core::fmt::rt::Argument::new_display(&1);
    core::panicking::panic("x");
    std::rt::begin_panic("x");
    std::macros_only::env::vars();
    String::new()
}
