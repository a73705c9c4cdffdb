#[derive(Debug)]
#[allow(dead_code)]
struct S {
    a: u8,
}
/// Documented.
#[inline]
#[must_use]
pub fn run(text: String) -> String {
    println!("start {}", text);
    eprintln!("err {text}");
    let s = dbg!(S { a: 1 });
    assert!(s.a == 1, "a is {}", s.a);
    assert_eq!(s.a, 1);
    debug_assert!(true);
    if text.is_empty() {
        unreachable!("empty")
    }
    if text == "todo" {
        todo!()
    }
    if text == "panic" {
        panic!("no: {}", text)
    }
    if text == "un" {
        unimplemented!()
    }
    matches!(text.as_str(), "a" | "b").to_string() + stringify!(x y) + concat!("a", 1) + &line!().to_string()
}
