use std::cell::Cell;

pub struct Counter { at: Cell<u32> }

impl GuestCounter for Counter {
    fn new(start: u32) -> Self { Self { at: Cell::new(start) } }
    fn next(&self) -> u32 { self.at.replace(self.at.get() + 1) }
    fn reset(&self, to: u32) { self.at.set(to); }
}

pub fn trace() -> Vec<String> {
    let c = Counter::new(5);
    let mut out = vec![c.next().to_string(), c.next().to_string()];
    c.reset(1);
    out.push(c.next().to_string());
    out
}
