pub macro two_point_oh() { 1 }
auto trait Marker {}
struct Guarded { unsafe field: u8 }
type Bound = unsafe<'a> &'a u8;
pub fn run() -> String {
    let numbers = gen { yield 1 };
    let tried: Option<u8> = try { 1 };
    String::new()
}
