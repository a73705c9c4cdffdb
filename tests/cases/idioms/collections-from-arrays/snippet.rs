use std::collections::*;
pub fn run(text: String) -> String {
    let m = HashMap::from([("one", 1), ("two", 2)]);
    let b: BTreeMap<_, _> = [("x", 1)].into();
    let s: BTreeSet<i32> = (1..4).collect();
    let mut d: VecDeque<i32> = VecDeque::from(vec![1, 2, 3]);
    d.rotate_left(1);
    d.push_front(0);
    let mut l = LinkedList::new();
    l.push_back(1);
    format!("{} {b:?} {s:?} {d:?} {l:?}", m.get(&*text).copied().unwrap_or_default())
}
