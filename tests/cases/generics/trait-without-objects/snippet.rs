trait Shape { fn scaled(&self, by: u32) -> Self; fn area(&self) -> u32; }
struct Square(u32);
impl Shape for Square {
    fn scaled(&self, by: u32) -> Self { Square(self.0 * by) }
    fn area(&self) -> u32 { self.0 * self.0 }
}
let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2))];
shapes.iter().map(|s| s.area()).sum()
