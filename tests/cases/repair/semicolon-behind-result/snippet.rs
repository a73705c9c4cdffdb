pub fn run(numbers: Vec<u32>) -> u32 {
    let total: u32 = numbers.iter().sum();
    total + 1;
}
