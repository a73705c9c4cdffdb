type Op = Box<dyn Fn(f64, f64) -> Result<f64, String>>;
fn ops() -> HashMap<&'static str, Op> {
    let mut m: HashMap<&'static str, Op> = HashMap::new();
    m.insert("+", Box::new(|a, b| Ok(a + b)));
    m.insert(
        "/",
        Box::new(|a, b| {
            if b == 0.0 {
                Err("division by zero".into())
            } else {
                Ok(a / b)
            }
        }),
    );
    m
}
fn adder(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}
pub fn run(text: String) -> String {
    let o = ops();
    let r = o.get("+").map(|f| f(1.0, 2.0));
    let h = compose(adder(1), |x: i32| x * 2);
    format!("{r:?} {} {text}", h(3))
}
