use std::collections::{BTreeSet, HashSet};
let h: HashSet<Item> = [a.clone(), b.clone(), a.clone()].into();
let t: BTreeSet<Kind> = [b.kind, a.kind].into();
vec![a == b, a < b, h.len() == 2, t.len() == 2, format!("{a:?}").contains("Item")]