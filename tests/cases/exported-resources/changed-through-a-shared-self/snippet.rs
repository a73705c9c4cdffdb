use std::collections::HashMap;

struct Counter {
    m: HashMap<String, u32>,
    n: u32,
}

impl GuestCounter for Counter {
    fn new() -> Self {
        Counter { m: HashMap::new(), n: 0 }
    }
    fn add(&self, key: String, n: u32) -> u32 {
        self.n += 1;
        let e = self.m.entry(key).or_insert(0);
        *e += n;
        *e
    }
    fn total(&self) -> u32 {
        self.m.values().sum()
    }
}
