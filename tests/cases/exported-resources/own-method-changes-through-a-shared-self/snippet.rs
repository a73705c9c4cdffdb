struct Inner {
    keys: Vec<String>,
}

impl Inner {
    fn push(&mut self, key: String) {
        self.keys.push(key);
    }
}

struct Counter {
    inner: Inner,
}

impl Counter {
    fn note(&mut self, key: String) {
        self.inner.push(key);
    }
}

impl GuestCounter for Counter {
    fn new() -> Self {
        Counter { inner: Inner { keys: Vec::new() } }
    }
    fn add(&self, key: String, n: u32) -> u32 {
        self.note(key.clone());
        self.inner.push(key);
        n
    }
    fn total(&self) -> u32 {
        self.inner.keys.len() as u32
    }
}
