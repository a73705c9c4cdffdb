macro_rules! nothing { ($($t:tt)*) => {} }
nothing!(##"a" ; mod users; "b"##);
pub fn run() -> String { String::new() }
