fn total(items: impl Iterator<Item = impl Into<f64>>) -> f64 {
    items.map(Into::into).sum()
}
fn apply(fs: &[&dyn Fn(i32) -> i32], x: i32) -> i32 {
    fs.iter().fold(x, |acc, f| f(acc))
}
fn make(n: i32) -> Box<dyn FnMut() -> i32> {
    let mut c = n;
    Box::new(move || {
        c += 1;
        c
    })
}
fn curry(a: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |b| Box::new(move |c| a + b + c)
}
pub fn run(text: String) -> String {
    let mut m = make(3);
    m();
    format!(
        "{} {} {} {} {text}",
        total([1u8, 2].into_iter()),
        apply(&[&|x| x + 1, &|x| x * 2], 3),
        m(),
        curry(1)(2)(3)
    )
}
