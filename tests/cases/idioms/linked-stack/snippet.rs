use std::mem;
#[derive(Debug, Default)]
struct Stack {
    head: Option<Box<Node>>,
    len: usize,
}
#[derive(Debug)]
struct Node {
    value: i32,
    next: Option<Box<Node>>,
}
impl Stack {
    fn push(&mut self, value: i32) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { value, next }));
        self.len += 1;
    }
    fn pop(&mut self) -> Option<i32> {
        self.head.take().map(|n| {
            self.head = n.next;
            self.len -= 1;
            n.value
        })
    }
    fn peek_mut(&mut self) -> Option<&mut i32> {
        self.head.as_mut().map(|n| &mut n.value)
    }
    fn reverse(&mut self) {
        let mut prev = None;
        let mut cur = mem::take(&mut self.head);
        while let Some(mut n) = cur {
            cur = mem::replace(&mut n.next, prev);
            prev = Some(n);
        }
        self.head = prev;
    }
}
impl Drop for Stack {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}
pub fn run(text: String) -> String {
    let mut s = Stack::default();
    for b in text.bytes() {
        s.push(b.into());
    }
    s.reverse();
    if let Some(v) = s.peek_mut() {
        *v += 1;
    }
    let mut a = 1;
    let mut b = 2;
    mem::swap(&mut a, &mut b);
    let d = mem::discriminant(&Some(1)) == mem::discriminant(&None);
    format!("{:?} {} {a}{b}{d}{}", s.pop(), s.len, mem::size_of::<u64>())
}
