fn point(x: u32) -> Point { Point { x } }
const X: u32 = 2;
point(X)