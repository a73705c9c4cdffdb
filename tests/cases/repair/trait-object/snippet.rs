trait Shape {
    fn area(&self) -> u32;
    fn doubled(&self) -> Self;
}

struct Square(u32);

impl Shape for Square {
    fn area(&self) -> u32 { self.0 * self.0 }
    fn doubled(&self) -> Self { Square(self.0 * 2) }
}

pub fn run() -> u32 {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2))];
    shapes.iter().map(|shape| shape.area()).sum()
}
