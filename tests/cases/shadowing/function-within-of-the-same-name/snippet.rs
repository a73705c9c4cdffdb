fn run(n: u32) -> u32 {
    if n == 0 { 0 } else { n + run(n - 1) }
}
run(n) + 1
