pub fn run(n: u32) -> String {
    if n % 2 == 0 { "even" } else { "odd" }
}
