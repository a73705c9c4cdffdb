use std::{cell::Cell, sync::OnceLock};
thread_local! { static N: Cell<u32> = const { Cell::new(4) }; }
static ONCE: OnceLock<u32> = OnceLock::new();
N.with(|n| n.set(n.get() + 1));
N.get() + ONCE.get_or_init(|| 10)