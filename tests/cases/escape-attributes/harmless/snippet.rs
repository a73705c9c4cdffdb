#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
#[non_exhaustive]
enum Level { #[default] Low = 1, High = 200 }
#[inline(always)]
#[must_use = "it is a number"]
#[deprecated(since = "1.0", note = "use the other")]
#[doc(hidden)]
#[cold]
fn number(level: Level) -> u8 { level as u8 }
#[rustfmt::skip]
#[allow(clippy::all, deprecated, reason = "short")]
#[diagnostic::do_not_recommend]
impl From<Level> for u32 { fn from(level: Level) -> u32 { u32::from(number(level)) } }
pub fn run() -> String { format!("{:?} {}", Level::default(), u32::from(Level::High)) }
