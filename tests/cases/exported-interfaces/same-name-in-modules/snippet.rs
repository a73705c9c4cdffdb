pub mod a {
    pub fn name() -> String { super::helper("a") }
}
pub mod b {
    pub fn name() -> String { super::helper("b") }
}
fn helper(s: &str) -> String { format!("<{s}>") }
