use {std::fmt::Write, bindings as b};
pub fn run() -> String {
    let mut text = String::new();
    write!(text, "{}", b::generated::t::h::repo::write("a", "b")).unwrap();
    text
}
