#[forbid(unsafe_code)]
mod strict {
    #[deny(unused_must_use)]
    pub fn one() -> u32 { 1 }
}
#[allow(dead_code, clippy::pedantic, some_lint_of_tomorrow, reason = "kept for later")]
fn unused(a: u32) -> unsafe fn() { todo!() }
#[expect(unused_variables, reason = "shown")]
pub fn run() -> String { let a = 1; strict::one().to_string() }
