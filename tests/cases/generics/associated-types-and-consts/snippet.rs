use std::fmt::Display;
trait Figure {
    const SIDES: usize;
    type Unit: Display + Default;
    fn size(&self) -> f64;
    fn describe(&self) -> String where Self::Unit: Display {
        format!("{} sides, {} {}", Self::SIDES, self.size(), Self::Unit::default())
    }
}
#[derive(Default)] struct Meter;
#[derive(Default)] struct Area;
impl Display for Meter { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("m") } }
impl Display for Area { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.pad("m2") } }
struct Edge(f64);
struct Tile { w: f64, h: f64 }
impl Figure for Edge { const SIDES: usize = 3; type Unit = Meter; fn size(&self) -> f64 { self.0 } }
impl Figure for Tile { const SIDES: usize = 4; type Unit = Area; fn size(&self) -> f64 { self.w * self.h } }
fn all<A, B>(a: A, b: B) -> Vec<String> where A: Figure, B: Figure<Unit = Area> { vec![a.describe(), b.describe()] }
all(Edge(1.5), Tile { w: 3.5, h: 2.0 })
