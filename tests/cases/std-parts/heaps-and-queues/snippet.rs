use std::cmp::Reverse;
use std::collections::{btree_map::Entry, BTreeMap, BTreeSet, BinaryHeap, VecDeque};
let mut best: BTreeMap<&str, u32> = BTreeMap::new();
let mut heap = BinaryHeap::from([Reverse((0u32, "a"))]);
while let Some(Reverse((cost, at))) = heap.pop() {
    match best.entry(at) {
        Entry::Occupied(_) => continue,
        Entry::Vacant(place) => { place.insert(cost); }
    }
    heap.extend(edges.iter().filter(|e| e.0 == at).map(|e| Reverse((cost + e.2, e.1.as_str()))));
}
let mut queue: VecDeque<u32> = [1, 2].into();
queue.push_front(3);
let shown = format!("{:?}", queue.make_contiguous());
queue.rotate_right(1);
let ends = queue.split_off(2);
let mut map = BTreeMap::from([(1, 'a'), (2, 'b'), (3, 'c')]);
map.retain(|k, _| *k != 3);
let (a, b) = (BTreeSet::from([1, 2]), BTreeSet::from([2, 3]));
let mut costs: BinaryHeap<(u32, &str)> = best.iter().map(|(k, v)| (*v, *k)).collect();
vec![
    best.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" "),
    shown,
    format!("{queue:?}..{ends:?}"),
    format!("{:?}", map.split_off(&2).into_iter().collect::<Vec<_>>()),
    format!("{:?} {:?} {:?}", &a ^ &b, &a & &b, &a | &b),
    format!("{:?}", costs.peek().copied().and(costs.pop())),
]
