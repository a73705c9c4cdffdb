use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
pub fn run(text: String) -> String {
    let mut m: BTreeMap<u32, &str> = BTreeMap::new();
    for (i, w) in text.split_whitespace().enumerate() {
        m.insert(i as u32, w);
    }
    let a: Vec<_> = m.range(1..3).map(|(k, v)| format!("{k}{v}")).collect();
    let b = m.range((Excluded(1), Unbounded)).next().map(|(k, _)| *k);
    let c = m.range(..=2).next_back();
    let (first, last) = (m.first_key_value(), m.last_key_value());
    let d = m.range((Included(0), Included(1))).count();
    format!("{a:?}{b:?}{c:?}{first:?}{last:?}{d}")
}
