use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

#[derive(Copy, Clone, Eq, PartialEq)]
struct State {
    cost: u32,
    position: usize,
}
impl Ord for State {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .cost
            .cmp(&self.cost)
            .then_with(|| self.position.cmp(&other.position))
    }
}
impl PartialOrd for State {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
pub fn run(text: String) -> String {
    let mut adj: HashMap<usize, Vec<(usize, u32)>> = HashMap::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        if let [a, b, c] = parts[..] {
            let (Ok(a), Ok(b), Ok(c)) = (a.parse(), b.parse(), c.parse()) else {
                continue;
            };
            adj.entry(a).or_default().push((b, c));
        }
    }
    let mut dist: HashMap<usize, u32> = HashMap::new();
    let mut heap = BinaryHeap::from([State { cost: 0, position: 0 }]);
    while let Some(State { cost, position }) = heap.pop() {
        if dist.get(&position).is_some_and(|&d| d <= cost) {
            continue;
        }
        dist.insert(position, cost);
        for &(next, w) in adj.get(&position).map(Vec::as_slice).unwrap_or(&[]) {
            heap.push(State {
                cost: cost + w,
                position: next,
            });
        }
    }
    let mut d: Vec<_> = dist.into_iter().collect();
    d.sort_unstable();
    format!("{d:?}")
}
