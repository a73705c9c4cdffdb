use std::{cell::RefCell, rc::{Rc, Weak}};
struct Node { value: u32, parent: RefCell<Weak<Node>>, children: RefCell<Vec<Rc<Node>>> }
let leaf = Rc::new(Node { value: 3, parent: Default::default(), children: Default::default() });
let root = Rc::new(Node { value: 4, parent: Default::default(), children: vec![leaf.clone()].into() });
*leaf.parent.borrow_mut() = Rc::downgrade(&root);
let up = leaf.parent.borrow().upgrade().unwrap();
up.value + root.children.borrow()[0].value