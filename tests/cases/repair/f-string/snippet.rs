pub fn run(n: u32) -> String {
    f"n = {n}"
}
