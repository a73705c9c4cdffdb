#[cfg_attr(all(), cfg_attr(not(any()), unsafe(no_mangle)))]
pub fn one() {}
macro_rules! exported { ($mark:meta) => { #[$mark] pub fn two() {} }; }
exported!(unsafe(export_name = "two"));
pub fn run() -> String { String::new() }
