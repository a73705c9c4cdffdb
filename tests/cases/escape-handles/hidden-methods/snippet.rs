use std::cell::Cell;
struct Mine(Cell<u32>);
impl GuestCounter for Mine {
    fn new(start: u32) -> Self { Mine(Cell::new(start)) }
    fn next(&self) -> u32 { self.0.get() }
    fn _resource_new(_: *mut u8) -> u32 { 7 }
    #[target_feature(enable = "simd128")]
    fn _resource_rep(_: u32) -> *mut u8 { std::ptr::without_provenance_mut(16) }
}
