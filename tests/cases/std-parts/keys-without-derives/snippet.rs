use std::collections::HashMap;

#[derive(PartialEq, Clone, Copy)]
struct Point { x: i32, y: i32 }

pub fn run(xs: Vec<i32>) -> u32 {
    let mut seen: HashMap<Point, u32> = HashMap::new();
    for pair in xs.chunks_exact(2) {
        *seen.entry(Point { x: pair[0], y: pair[1] }).or_default() += 1;
    }
    seen.len() as u32
}
