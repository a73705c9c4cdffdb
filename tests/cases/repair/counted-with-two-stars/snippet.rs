pub fn run(n: u32) -> String {
    let squared = 2 ** 3;
    let counts = {};
    counts["a"] = 1;
    str(n)
}
