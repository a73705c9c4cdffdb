use std::collections::BTreeMap;
macro_rules! put { ($m:expr, $k:expr) => { *$m.entry($k).or_insert(0u32) += 1 }; }
fn show(m: &BTreeMap<char, u32>) -> String { m.iter().map(|(c, n)| format!("{c}{n}")).collect() }
let mut m = BTreeMap::new();
for c in s.chars() { put!(m, c); }
show(&m)