//! Adds up.
/// The helper.
#[inline(never)] #[must_use = "it is a number"] #[allow(dead_code, clippy::all)]
fn double(#[allow(unused)] n: u32) -> u32 { n * 2 }
#[derive(Debug, Clone, Copy)] #[repr(u8)]
enum Step { /// first
    One = 1, #[allow(dead_code)] Two }
#[rustfmt::skip] let x = double(n);
#[cfg(not(test))] let y = 2;
#[cfg(test)] let y = 100;
match n { #[cfg(any())] 5 => 0, #[allow(unreachable_patterns)] 5 => x + y + Step::One as u32 + n, _ => 1 }
