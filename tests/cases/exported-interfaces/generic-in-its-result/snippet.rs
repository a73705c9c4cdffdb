pub fn numbers(n: u32) -> impl Iterator<Item = u32> {
    (0..n).map(|x| x * x)
}
