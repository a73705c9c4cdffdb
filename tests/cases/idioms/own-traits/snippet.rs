trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "shape".into()
    }
}
struct Circle(f64);
struct Sq {
    side: f64,
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    fn name(&self) -> String {
        "circle".into()
    }
}
impl Shape for Sq {
    fn area(&self) -> f64 {
        self.side.powi(2)
    }
}
fn shapes() -> Vec<Box<dyn Shape>> {
    vec![Box::new(Circle(1.0)), Box::new(Sq { side: 2.0 })]
}
fn biggest<'a>(s: &'a [Box<dyn Shape>]) -> Option<&'a dyn Shape> {
    s.iter()
        .map(|b| b.as_ref())
        .max_by(|a, b| a.area().partial_cmp(&b.area()).unwrap_or(std::cmp::Ordering::Equal))
}
fn evens(n: u32) -> impl Iterator<Item = u32> + Clone {
    (0..n).filter(|x| x % 2 == 0)
}
fn words<'a>(t: &'a str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
    Box::new(t.split(' '))
}
trait Ext {
    fn double(&self) -> String;
}
impl<T: AsRef<str> + ?Sized> Ext for T {
    fn double(&self) -> String {
        self.as_ref().repeat(2)
    }
}
pub fn run(text: String) -> String {
    let s = shapes();
    format!(
        "{} {} {} {}",
        biggest(&s).map(|b| b.name()).unwrap_or_default(),
        evens(10).sum::<u32>(),
        words(&text).count(),
        text.double()
    )
}
