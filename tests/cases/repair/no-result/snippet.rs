pub fn run(numbers: Vec<u32>) -> u32 {
    let mut total = 0;
    for number in numbers {
        total += number;
    }
}
