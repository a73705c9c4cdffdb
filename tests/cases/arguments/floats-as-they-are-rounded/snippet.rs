let same = x.a as f64 == 0.1;
let bits = x.a.to_bits();
(x, same, bits)
