macro_rules! sum {
    ($n:expr) => { sum!($n + 1) };
}
pub fn run() -> String { sum!(1).to_string() }
