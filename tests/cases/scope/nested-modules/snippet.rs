mod geometry {
    pub mod norm {
        use super::super::Point;
        pub(in super::super) fn squared(p: &Point) -> i32 { super::square(p.x) + self::y(p) }
        fn y(p: &Point) -> i32 { super::square(p.y) }
    }
    const fn square(n: i32) -> i32 { n * n }
    pub(super) use norm::squared as length;
}
use geometry::norm;

pub fn run(p: Point) -> i32 {
    assert_eq!(norm::squared(&p), geometry::norm::squared(&p));
    geometry::length(&p)
}
