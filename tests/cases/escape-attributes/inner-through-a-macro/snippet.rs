macro_rules! attributed { ($hash:tt $bang:tt $rest:tt) => { $hash $bang $rest pub fn inner() {} }; }
mod unguarded {
    attributed!(# ! [allow(unsafe_code)]);
}
pub fn run() -> String { String::new() }
