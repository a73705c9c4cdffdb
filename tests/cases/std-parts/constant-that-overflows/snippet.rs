const fn fact(n: u8) -> u8 { if n == 0 { 1 } else { n * fact(n - 1) } }
const TABLE: [u8; 2] = [fact(5), fact(6)];
TABLE[0]
