struct MinHeap<T: Ord> {
    data: Vec<T>,
}
impl<T: Ord + Clone> MinHeap<T> {
    fn new() -> Self {
        Self { data: Vec::new() }
    }
    fn push(&mut self, x: T) {
        self.data.push(x);
        let mut i = self.data.len() - 1;
        while i > 0 {
            let p = (i - 1) / 2;
            if self.data[i] >= self.data[p] {
                break;
            }
            self.data.swap(i, p);
            i = p;
        }
    }
    fn pop(&mut self) -> Option<T> {
        if self.data.is_empty() {
            return None;
        }
        self.data.swap(0, self.data.len() - 1);
        let out = self.data.pop();
        let mut i = 0;
        loop {
            let (l, r) = (2 * i + 1, 2 * i + 2);
            let mut m = i;
            if l < self.data.len() && self.data[l] < self.data[m] {
                m = l;
            }
            if r < self.data.len() && self.data[r] < self.data[m] {
                m = r;
            }
            if m == i {
                break;
            }
            self.data.swap(i, m);
            i = m;
        }
        out
    }
}
pub fn run(text: String) -> String {
    let mut h = MinHeap::new();
    for w in text.split(' ') {
        h.push(w.to_string());
    }
    let mut out = vec![];
    while let Some(x) = h.pop() {
        out.push(x);
    }
    out.join(" ")
}
