const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
const G: u64 = gcd(48, 36);
const TABLE: [u32; 256] = {
    let mut t = [0u32; 256];
    let mut i = 0;
    while i < 256 {
        let mut c = i as u32;
        let mut k = 0;
        while k < 8 {
            c = if c & 1 != 0 { 0xEDB88320 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        t[i] = c;
        i += 1;
    }
    t
};
static NAMES: &[&str] = &["a", "b"];
pub fn run(text: String) -> String {
    let crc = !text
        .bytes()
        .fold(!0u32, |c, b| TABLE[((c ^ b as u32) & 0xff) as usize] ^ (c >> 8));
    format!("{G} {crc:08x} {}", NAMES.len())
}
