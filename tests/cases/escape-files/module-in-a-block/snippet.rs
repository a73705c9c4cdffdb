pub fn run() -> String {
    let total = { mod tools { pub fn twice(n: u32) -> u32 { n * 2 } } tools::twice(4) };
    total.to_string()
}
