use std::collections::{BTreeSet, HashMap, HashSet};

pub fn run(l: Level, e: Event, p: Perms, q: Point, i: Item, s: Sample) -> Vec<String> {
    let mut out = vec![format!("{l:?} {e:?} {p:?} {q:?}")];
    // Copy where every part is: moved twice.
    let (again, more) = (q, q);
    out.push(format!("{} {}", again == more, l < Level::High));
    // Keys of both kinds of maps.
    let mut counts: HashMap<Event, u32> = HashMap::new();
    *counts.entry(e.clone()).or_insert(0) += 2;
    let levels: BTreeSet<Level> = [Level::High, l, Level::Low].into_iter().collect();
    let items: HashSet<Item> = [i.clone(), i.clone()].into_iter().collect();
    out.push(format!("{} {:?} {}", counts[&e], levels, items.len()));
    // Defaults of records and flags.
    let empty = Item { name: "new".to_string(), ..Default::default() };
    out.push(format!("{empty:?} {}", Perms::default() == Perms::empty()));
    // A float leaves equality and partial order.
    let smaller = Sample { value: s.value - 1.0, ..s.clone() };
    out.push(format!("{} {}", smaller < s, smaller == s));
    out
}
