fn joined(one: String, other: String) -> String {
    one + &other
}

pub fn run(text: String) -> String {
    crate::joined(crate::joined("x", text), String::new())
}
