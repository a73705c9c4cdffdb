mod snippet { pub fn n() -> u32 { 2 } }
mod hole { pub fn n() -> u32 { super::snippet::n() + 1 } }
mod types { pub struct Item(pub u32); }
mod scope { pub struct Item { pub n: u32 } }
mod prelude { pub use super::types::Item as Other; }
mod exports { pub fn run() -> u32 { 30 } }
struct Guest;
struct Component;
#[allow(non_camel_case_types)]
struct export;

pub fn run(i: Item) -> Item {
    let _ = (Guest, Component, export);
    let other = prelude::Other { 0: 0 };
    Item { n: i.n + snippet::n() + hole::n() + scope::Item { n: 0 }.n + other.0 + exports::run() }
}
