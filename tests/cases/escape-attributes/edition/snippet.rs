pub fn run() -> String {
    let gen = 1;
    let shown: Box<std::fmt::Display> = Box::new(gen);
    shown.to_string()
}
