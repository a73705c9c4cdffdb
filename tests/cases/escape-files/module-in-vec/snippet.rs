pub fn run() -> String {
    let parts = vec![{ mod tools { pub fn name() -> String { "a".into() } } tools::name() }];
    parts.join("/")
}
