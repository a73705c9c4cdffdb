enum Option<T> { Some(T), None }
use Option::{None, Some};

pub fn run() -> Option<u32> {
    Some(4)
}
