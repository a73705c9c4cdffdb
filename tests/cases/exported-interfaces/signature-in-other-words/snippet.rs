type Answer<T> = core::result::Result<T, std::string::String>;
pub fn norm(Point { x, y }: self::Point, mut scale: u32) -> Answer<u32> {
    scale *= x.unsigned_abs() + y.unsigned_abs();
    Ok::<u32, String>(scale)
}
pub fn mirror(_: Point) -> () {}
pub const fn three() -> u32 { 3 }
