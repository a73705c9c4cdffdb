let digits = b.as_deref().and_then(|s| s.strip_prefix('x')).and_then(|s| s.parse().ok());
let mut slot = a;
let taken = slot.take();
vec![digits, a.filter(|n| n % 2 == 1), taken, slot.get_or_insert(5).checked_add(0), slot.xor(a), a.zip(digits).map(|(a, d)| a + d), b.map(|s| s.len() as u32)]
