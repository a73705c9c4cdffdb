use std::collections::{BinaryHeap, VecDeque, BTreeMap};
let mut h = BinaryHeap::from([3u32, 9, 1]);
let mut q: VecDeque<u32> = (1..=3).collect(); q.rotate_left(1);
let m: BTreeMap<u32, u32> = [(2, 20), (1, 10)].into();
let mut v = vec![h.pop().unwrap()]; v.extend(q); v.extend(m.range(2..).map(|(_, v)| *v)); v