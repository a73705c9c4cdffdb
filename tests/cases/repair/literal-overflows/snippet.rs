pub fn run() -> u8 {
    let most: u8 = 256;
    most
}
