pub fn run(text: String) -> String {
    let o: Option<&str> = text.split(' ').nth(1);
    let a = o.map(str::to_string).unwrap_or_default();
    let b = o.as_ref().is_some_and(|s| s.len() > 2) || o.is_none_or(|s| s.is_empty());
    let c = o.ok_or("none").and_then(|s| s.parse::<i32>().map_err(|_| "nan"));
    let d = o
        .filter(|s| s.starts_with('a'))
        .xor(None)
        .or(Some("z"))
        .unwrap_or_else(|| "q");
    let e = Some(3).take().into_iter().chain(None).sum::<i32>();
    let f: Option<Option<i32>> = Some(Some(1));
    let g = f.flatten().copied_or();
    format!("{a}{b}{c:?}{d}{e}{g}")
}
trait C {
    fn copied_or(self) -> i32;
}
impl C for Option<i32> {
    fn copied_or(self) -> i32 {
        self.unwrap_or(0)
    }
}
