pub fn run(n: u32) -> u32 {
    let mut sieve = [true; n as usize];
    sieve.iter_mut().for_each(|prime| *prime = false);
    sieve.len() as u32
}
