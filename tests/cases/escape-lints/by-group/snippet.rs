#[allow(forbidden_lint_groups, warnings, unused, unsafe_code)]
mod quiet {
    pub fn zero() -> u8 { unsafe { std::mem::zeroed() } }
}
pub fn run() -> String { quiet::zero().to_string() }
