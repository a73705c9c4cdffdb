use std::cell::Cell;
thread_local!(static FAILED: Cell<u32> = const { Cell::new(0) });
macro_rules! assert { ($c:expr $(, $($rest:tt)*)?) => { if !$c { FAILED.set(FAILED.get() + 1); } } }
macro_rules! assert_eq { ($a:expr, $b:expr) => { assert!($a == $b, "differs") } }
assert!(1 > 2, "{}", "no");
assert_eq!(3, 3);
assert_eq!(3, 4);
FAILED.get()
