use std::collections::HashMap;
let mut m: HashMap<&str, u32> = HashMap::new();
for w in s.split_whitespace() { *m.entry(w).or_default() += 1; }
let mut v: Vec<_> = m.into_iter().map(|(w, n)| (w.to_string(), n)).collect();
v.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
v