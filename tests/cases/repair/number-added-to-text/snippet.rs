pub fn run(n: u32) -> String {
    String::from("n = ") + n
}
