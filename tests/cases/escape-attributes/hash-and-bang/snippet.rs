macro_rules! negate { (# $value:expr) => { !$value }; }
pub fn run() -> String {
    //! The text of an inner doc comment says nothing to the compiler.
    let flags = [negate!(# true), !matches!('#', '!')];
    format!("{flags:?}")
}
