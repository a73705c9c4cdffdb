use std::cell::{Cell, RefCell};
thread_local! {
    /// How often.
    #[allow(dead_code)]
    pub static COUNT: Cell<u32> = const { Cell::new(3) };
    static NAMES: RefCell<Vec<String>> = RefCell::new(vec!["a".to_string()]);
}
pub fn run() -> String {
    COUNT.set(COUNT.get() + 1);
    NAMES.with_borrow_mut(|names| names.push("b".to_string()));
    format!("{} {}", COUNT.get(), NAMES.take().join("+"))
}
