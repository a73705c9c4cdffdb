pub fn run(m: u32) -> u32 {
    m + if m > 2 { -3 } else { 9 }
}
