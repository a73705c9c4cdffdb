use std::fmt::Write;
use std::fmt::Write as FmtWrite;
pub fn run(text: String) -> String {
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        write!(out, "{:>3}: {}\n", i + 1, line).unwrap();
        writeln!(&mut out, "{line:<10}|{i:04}|{:?}", line).unwrap();
    }
    out
}
