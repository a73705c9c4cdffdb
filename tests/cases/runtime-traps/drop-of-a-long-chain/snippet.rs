struct Node { next: Option<Box<Node>> }
let mut head: Option<Box<Node>> = None;
for _ in 0..200_000 { head = Some(Box::new(Node { next: head.take() })); }
let mut n = 0;
let mut at = head.as_deref();
while let Some(node) = at { n += 1; at = node.next.as_deref(); }
drop(head);
n
