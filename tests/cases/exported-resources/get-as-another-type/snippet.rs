use std::cell::Cell;

pub struct It(Cell<u32>);

impl GuestCounter for It {
    fn new(start: u32) -> Self { It(Cell::new(start)) }
    fn next(&self) -> u32 { self.0.get() }
    fn reset(&self, to: u32) { self.0.set(to); }
}

pub fn trace() -> Vec<String> {
    let c = Counter::new(It::new(5));
    let raw: &Cell<u32> = c.get::<Cell<u32>>();
    vec![raw.get().to_string()]
}
