use std::cell::RefCell;

thread_local! {
    static STACK: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
}

pub fn push(n: i32) -> u32 {
    STACK.with_borrow_mut(|stack| {
        stack.push(n);
        stack.len() as u32
    })
}

pub fn pop() -> Option<i32> {
    STACK.with_borrow_mut(Vec::pop)
}

pub fn sum() -> i32 {
    STACK.with_borrow(|stack| stack.iter().sum())
}
