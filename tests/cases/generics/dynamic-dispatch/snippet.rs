use std::{any::Any, collections::BTreeMap, fmt::Debug};
trait Named { fn name(&self) -> &'static str; }
trait Shape: Named + Debug + Any { fn area(&self) -> f32; fn report(&self) -> String { format!("{} {:.1}", self.name(), self.area()) } }
#[derive(Debug)] struct Circle; #[derive(Debug)] struct Square(f32);
impl Named for Circle { fn name(&self) -> &'static str { "circle" } }
impl Named for Square { fn name(&self) -> &'static str { "square" } }
impl Shape for Circle { fn area(&self) -> f32 { 3.0 } }
impl Shape for Square { fn area(&self) -> f32 { self.0 * self.0 } }
fn length<T: ?Sized + AsRef<str>>(t: &T) -> usize { t.as_ref().len() }
let shapes: BTreeMap<u8, Box<dyn Shape>> = BTreeMap::from([(2, Box::new(Square(2.0)) as Box<dyn Shape>), (1, Box::new(Circle))]);
let mut out: Vec<String> = shapes.values().map(|s| s.report()).collect();
let second: &dyn Any = &*shapes[&2];
out.push(format!("is square: {}", second.is::<Square>()));
out.push(shapes.get(&9).map_or("none", |s| s.name()).to_string());
out.push(length("abc").saturating_add(length(&String::from("de"))).to_string());
out
