#[derive(Debug, Clone)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

pub fn run(p: Point) -> Point {
    Point { x: p.y, y: p.x }
}
