let mut seen = std::collections::HashMap::new();
for x in xs { *seen.entry(x).or_insert(0) += 1; }
seen.len() as u32
