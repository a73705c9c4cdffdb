use std::cell::RefCell;
static SEEN: RefCell<Vec<u32>> = RefCell::new(Vec::new());
SEEN.borrow_mut().push(1);
SEEN.borrow().len() as u32
