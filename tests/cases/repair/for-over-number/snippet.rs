pub fn run(n: u32) -> u32 {
    let mut total = 0;
    for i in n {
        total += i;
    }
    total
}
