#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
enum Level {
    #[default]
    Low = 1,
    High = 5,
}
#[derive(Debug, Clone, PartialEq, PartialOrd, Default)]
struct P {
    x: f64,
    l: Level,
    t: (u8, String),
}
#[non_exhaustive]
#[derive(Clone)]
struct Unit;
#[deprecated]
fn old() {}
pub fn run(text: String) -> String {
    #[allow(unused_variables, unused_mut)]
    let mut p = P {
        t: (1, text),
        ..Default::default()
    };
    #[rustfmt::skip]
    let q = P::default();
    format!("{p:?} {} {:#?}", p > q, Level::High as i32)
}
