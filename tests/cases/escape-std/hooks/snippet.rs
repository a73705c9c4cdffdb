use std::panic::{Location, resume_unwind, set_hook, take_hook};
pub fn run() -> String {
    set_hook(Box::new(|_| {}));
    panic!("quietly")
}
