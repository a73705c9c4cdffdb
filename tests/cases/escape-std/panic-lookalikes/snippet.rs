use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe};
fn is_safe<T: UnwindSafe + RefUnwindSafe>(_: &T) -> bool { true }
#[track_caller]
fn checked(ok: bool) { assert!(ok, "not ok"); }
pub fn run() -> String {
    checked(true);
    let wrapped = AssertUnwindSafe(|| 3);
    format!("{} {}", is_safe(&wrapped), (wrapped.0)())
}
