pub fn run(numbers: Vec<u32>) -> u32 {
    numbers.iter().copied().max()
}
