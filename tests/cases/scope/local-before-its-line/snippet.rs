let factor = 3;
fn scale(x: u32) -> u32 { x * factor }
scale(n) + offset;
let offset = 1;
offset
