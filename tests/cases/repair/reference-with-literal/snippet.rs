pub fn run(numbers: Vec<u32>) -> u32 {
    numbers.iter().filter(|number| number > 2).count() as u32
}
