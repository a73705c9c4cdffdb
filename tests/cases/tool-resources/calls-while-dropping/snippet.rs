struct Guard(&'static str, Row);
impl Drop for Guard {
    fn drop(&mut self) {
        log::emit(&format!("{}{}", self.0, self.1.text()));
    }
}

let _a = Guard("a", db::take(1));
let _ = Guard("b", db::take(2));
let v = vec![Guard("c", db::take(3)), Guard("d", db::take(4))];
let (x, y) = db::pair();
drop(x);
let out = match y {
    Some(ref r) if r.text() == "t" => "yes",
    _ => "no",
};
drop(v.into_iter().next());
out.into()
