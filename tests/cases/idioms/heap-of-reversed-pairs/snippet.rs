use std::cmp::Reverse;
use std::collections::BinaryHeap;
pub fn run(text: String) -> String {
    let mut heap: BinaryHeap<Reverse<(usize, &str)>> = text.split(' ').map(|w| Reverse((w.len(), w))).collect();
    let mut out = vec![];
    while let Some(Reverse((_, w))) = heap.pop() {
        out.push(w);
        if heap.peek().is_none() {
            break;
        }
    }
    let s = BinaryHeap::from(vec![1, 3, 2]).into_sorted_vec();
    format!("{} {:?}", out.join(" "), s)
}
