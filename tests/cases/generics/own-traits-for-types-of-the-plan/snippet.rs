use std::{fmt, iter::Sum, ops::{Add, AddAssign, Neg}};
trait Length { fn length(&self) -> i32; }
impl Length for Point { fn length(&self) -> i32 { self.x.abs() + self.y.abs() } }
impl<T: Length> Length for [T] { fn length(&self) -> i32 { self.iter().map(T::length).sum() } }
#[derive(Clone, Copy)]
struct V(Point);
impl Add for V { type Output = V; fn add(self, o: V) -> V { V(Point { x: self.0.x + o.0.x, y: self.0.y + o.0.y }) } }
impl AddAssign for V { fn add_assign(&mut self, o: V) { *self = *self + o; } }
impl Neg for V { type Output = V; fn neg(self) -> V { V(Point { x: -self.0.x, y: -self.0.y }) } }
impl Sum for V { fn sum<I: Iterator<Item = V>>(all: I) -> V { all.fold(V(Point::default()), Add::add) } }
impl From<Point> for V { fn from(p: Point) -> V { V(p) } }
impl From<V> for Point { fn from(v: V) -> Point { v.0 } }
impl fmt::Display for V { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "<{}|{}>", self.0.x, self.0.y) } }
let length = ps.as_slice().length();
let mut sum: V = ps.into_iter().map(V::from).sum();
sum += -V(Point { x: 0, y: 0 });
(sum.into(), sum.to_string(), length)
