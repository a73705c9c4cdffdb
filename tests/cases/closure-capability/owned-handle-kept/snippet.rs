pub fn make(f: File) -> Reader {
    Reader::new(Rd(f))
}

pub struct Rd(File);

impl GuestReader for Rd {
    fn call(&self) -> String {
        self.0.read()
    }
}
