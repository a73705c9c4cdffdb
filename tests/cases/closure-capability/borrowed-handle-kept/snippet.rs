pub fn make(f: &File) -> Reader {
    Reader::new(Rd(f))
}

pub struct Rd<'a>(&'a File);

impl<'a> GuestReader for Rd<'a> {
    fn call(&self) -> String {
        self.0.read()
    }
}
