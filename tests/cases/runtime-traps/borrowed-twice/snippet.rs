let c = std::cell::RefCell::new(1u32);
let a = c.borrow_mut();
let b = c.borrow_mut();
*a + *b