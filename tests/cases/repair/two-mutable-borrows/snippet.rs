pub fn run(mut numbers: Vec<u32>) -> Vec<u32> {
    let first = &mut numbers[0];
    let last = &mut numbers[1];
    std::mem::swap(first, last);
    numbers
}
