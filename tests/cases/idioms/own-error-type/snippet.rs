#[derive(Debug, Clone, PartialEq)]
enum Option2<T> {
    Some(T),
    None,
}
#[derive(Debug)]
struct Error {
    msg: String,
}
impl std::error::Error for Error {}
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.msg)
    }
}
fn parse(s: &str) -> Result<i32, Error> {
    s.parse().map_err(|_| Error {
        msg: format!("bad {s}"),
    })
}
pub fn run(text: String) -> String {
    parse(&text).map_or_else(|e| e.to_string(), |n| n.to_string())
}
