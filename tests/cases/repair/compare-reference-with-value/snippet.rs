pub fn run(numbers: Vec<u32>, wanted: u32) -> u32 {
    numbers.iter().filter(|number| number == wanted).count() as u32
}
