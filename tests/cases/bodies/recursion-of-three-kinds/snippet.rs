use std::collections::HashMap;
fn is_even(n: u32) -> bool { n == 0 || is_odd(n - 1) }
fn is_odd(n: u32) -> bool { n != 0 && is_even(n - 1) }
fn fibonacci(n: u32, known: &mut HashMap<u32, u64>) -> u64 {
    if n < 2 { return n as u64; }
    if let Some(known) = known.get(&n) { return *known; }
    let value = fibonacci(n - 1, known) + fibonacci(n - 2, known);
    known.insert(n, value);
    value
}
enum Tree { Leaf(i32), Node(Box<Tree>, char, Box<Tree>) }
use Tree::*;
impl Tree {
    fn value(&self) -> i32 {
        match self { Leaf(n) => *n, Node(a, '+', b) => a.value() + b.value(), Node(a, '*', b) => a.value() * b.value(), Node(..) => unreachable!() }
    }
}
fn ackermann(m: u64, n: u64) -> u64 { match (m, n) { (0, n) => n + 1, (m, 0) => ackermann(m - 1, 1), (m, n) => ackermann(m - 1, ackermann(m, n - 1)) } }
let tree = Node(Box::new(Leaf(1)), '+', Box::new(Node(Box::new(Leaf(2)), '*', Box::new(Leaf(3)))));
(is_even(n), fibonacci(n, &mut HashMap::new()), tree.value(), ackermann(3, 4))
