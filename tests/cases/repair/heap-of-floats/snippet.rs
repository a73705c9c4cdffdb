use std::cmp::Reverse;

pub fn run(text: String) -> String {
    let mut heap = BinaryHeap::new();
    for x in text.split(',') {
        heap.push(Reverse((x.parse::<f64>().unwrap_or(0.0), x.to_string())));
    }
    heap.pop().map(|Reverse((x, _))| x.to_string()).unwrap_or_default()
}
