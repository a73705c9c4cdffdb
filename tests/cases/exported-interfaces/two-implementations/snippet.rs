use std::cell::Cell;

pub struct It(Cell<u32>);

impl GuestCounter for It {
    fn new(start: u32) -> Self {
        It(Cell::new(start))
    }

    fn add(&self, n: u32) -> u32 {
        self.0.set(self.0.get() + n);
        self.0.get()
    }

    fn parse(s: String) -> Result<Counter, String> {
        let start = s.parse().map_err(|_| format!("no number: {s}"))?;
        Ok(Counter::new(It(Cell::new(start))))
    }
}

pub fn total(a: CounterBorrow<'_>) -> u32 {
    a.get::<It>().0.get()
}

pub struct Other;
impl GuestCounter for Other {
    fn new(_: u32) -> Self { Other }
    fn add(&self, n: u32) -> u32 { n }
    fn parse(_: String) -> Result<Counter, String> { Err(String::new()) }
}
