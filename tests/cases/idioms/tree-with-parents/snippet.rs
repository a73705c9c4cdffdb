use std::cell::RefCell;
use std::rc::{Rc, Weak};
#[derive(Debug, Default)]
struct Node {
    name: String,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}
fn depth(n: &Rc<Node>) -> usize {
    1 + n.children.borrow().iter().map(depth).max().unwrap_or(0)
}
pub fn run(text: String) -> String {
    let root = Rc::new(Node {
        name: text,
        ..Default::default()
    });
    let leaf = Rc::new(Node {
        name: "leaf".into(),
        ..Node::default()
    });
    *leaf.parent.borrow_mut() = Rc::downgrade(&root);
    root.children.borrow_mut().push(Rc::clone(&leaf));
    format!(
        "{} {} {}",
        depth(&root),
        leaf.parent.borrow().upgrade().map_or(String::new(), |p| p.name.clone()),
        Rc::strong_count(&leaf)
    )
}
