use std::str;
pub fn run(text: String) -> String {
    let bytes = text.as_bytes();
    let s = str::from_utf8(&bytes[..bytes.len().min(3)]).unwrap_or("");
    let lossy = String::from_utf8_lossy(bytes);
    let own = String::from_utf8(bytes.to_vec()).map_err(|e| e.to_string());
    let hex: String = bytes.iter().map(|b| format!("{:02X}", b)).collect();
    let a = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let b = u32::from_be_bytes([1, 2, 3, 4]);
    let c = bytes.iter().position(|&b| b == b'\n');
    let d = text.eq_ignore_ascii_case("ABC") || text.to_ascii_uppercase().starts_with("X");
    format!("{s}{lossy}{own:?}{hex}{a}{b}{c:?}{d}{}", bytes.escape_ascii())
}
