impl Point {
    fn manhattan(&self) -> i32 {
        self.x.abs() + self.y.abs()
    }
}

pub fn run(p: Point) -> i32 {
    p.manhattan()
}
