pub struct Counter(u32);

impl GuestCounter for Counter {
    fn new(start: u32) -> Self {
        Counter(start)
    }

    fn add(&mut self, n: u32) -> u32 {
        self.0 += n;
        self.0
    }
}
