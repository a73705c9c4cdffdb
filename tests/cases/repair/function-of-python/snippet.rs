pub fn run(numbers: Vec<u32>) -> u32 {
    let mut total = 0;
    for i in range(3) {
        total += i;
    }
    total + sum(numbers)
}
