struct Logged { file: File, calls: std::cell::Cell<u32> }
impl Logged { fn read(&self) -> String { self.calls.set(self.calls.get() + 1); self.file.read() } }
let l = Logged { file: fs::open("a").unwrap(), calls: Default::default() };
format!("{}{}{}", l.read(), l.read(), l.calls.get())