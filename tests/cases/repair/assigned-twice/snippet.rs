pub fn run(numbers: Vec<u32>) -> u32 {
    let total = 0;
    for number in &numbers {
        total = total + number;
    }
    total
}
