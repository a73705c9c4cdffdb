pub fn run(n: u64, at: i64, xs: Vec<u32>) -> Sizes {
    Sizes { small: n, whole: xs[n] as i32 + at }
}
