use std::sync::Mutex;

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

pub struct It(u32);

impl Drop for It {
    fn drop(&mut self) { LOG.lock().unwrap().push(format!("drop {}", self.0)); }
}

impl GuestCounter for It {
    fn new(start: u32) -> Self { It(start) }
    fn next(&self) -> u32 { self.0 + 1 }
    fn reset(&self, _: u32) {}
}

struct Pair { b: Counter, a: Counter }

pub fn trace() -> Vec<String> {
    {
        let _one = Counter::new(It(1));
        let mut two = Counter::new(It(2));
        let pair = Pair { a: Counter::new(It(4)), b: Counter::new(It(5)) };
        two = Counter::new(It(two.get::<It>().next()));
        std::mem::forget(Counter::new(It(9)));
        LOG.lock().unwrap().push(format!("end {} {}", two.get::<It>().0, pair.a.get::<It>().0 + pair.b.get::<It>().0));
    }
    std::mem::take(&mut *LOG.lock().unwrap())
}
