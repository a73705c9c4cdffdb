mod local { #[derive(Default)] pub struct Point { pub y: u32 } }
pub fn run() -> Point { Point { x: local::Point::default().y + 1 } }
