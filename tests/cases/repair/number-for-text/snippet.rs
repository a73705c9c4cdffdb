pub fn run(n: u32) -> String {
    n * 2
}
