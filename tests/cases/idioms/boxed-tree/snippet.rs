#[derive(Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i32, Box<Tree>),
}
use Tree::{Leaf, Node};
impl Tree {
    fn insert(self, x: i32) -> Tree {
        match self {
            Leaf => Node(Box::new(Leaf), x, Box::new(Leaf)),
            Node(l, v, r) if x < v => Node(Box::new(l.insert(x)), v, r),
            Node(l, v, r) => Node(l, v, Box::new(r.insert(x))),
        }
    }
    fn walk(&self, out: &mut Vec<i32>) {
        if let Node(l, v, r) = self {
            l.walk(out);
            out.push(*v);
            r.walk(out);
        }
    }
}
pub fn run(text: String) -> String {
    let t = text
        .split(',')
        .filter_map(|x| x.parse().ok())
        .fold(Leaf, |t, x| t.insert(x));
    let mut out = vec![];
    t.walk(&mut out);
    format!("{out:?}")
}
