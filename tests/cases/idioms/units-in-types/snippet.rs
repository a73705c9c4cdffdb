use std::marker::PhantomData;
struct Meters;
struct Feet;
#[derive(Debug)]
struct Length<U> {
    v: f64,
    _u: PhantomData<U>,
}
impl<U> Clone for Length<U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<U> Copy for Length<U> {}
impl<U> std::ops::Add for Length<U> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Length {
            v: self.v + o.v,
            _u: PhantomData,
        }
    }
}
impl From<Length<Feet>> for Length<Meters> {
    fn from(f: Length<Feet>) -> Self {
        Length {
            v: f.v * 0.3048,
            _u: PhantomData,
        }
    }
}
pub fn run(text: String) -> String {
    let a: Length<Meters> = Length::<Feet> {
        v: text.len() as f64,
        _u: PhantomData,
    }
    .into();
    format!("{:.2}", (a + a).v)
}
