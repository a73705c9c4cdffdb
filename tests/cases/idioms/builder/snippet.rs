#[derive(Debug, Clone, Default)]
struct Opts {
    name: String,
    n: u32,
    tags: Vec<String>,
}
struct Builder {
    o: Opts,
}
impl Builder {
    fn new() -> Self {
        Self { o: Opts::default() }
    }
    fn name(mut self, n: impl Into<String>) -> Self {
        self.o.name = n.into();
        self
    }
    fn tag(mut self, t: &str) -> Self {
        self.o.tags.push(t.to_owned());
        self
    }
    fn build(self) -> Opts {
        self.o
    }
}
pub fn run(text: String) -> String {
    format!("{:?}", Builder::new().name(text).tag("a").build())
}
