use std::collections::{BTreeMap, HashMap};
pub fn run(entries: Vec<Entry>, least: Level) -> Vec<(Level, u32)> {
    let mut counts: BTreeMap<Level, u32> = BTreeMap::new();
    for e in entries.iter().filter(|e| e.level >= least) {
        *counts.entry(e.level).or_insert(0) += 1;
    }
    let mut by: HashMap<Level, Vec<&Entry>> = HashMap::new();
    for e in &entries {
        by.entry(e.level).or_default().push(e);
    }
    println!("{:?}", by.keys());
    let mut v: Vec<_> = counts.into_iter().collect();
    v.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    v
}
