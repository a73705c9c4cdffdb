mod m { pub fn len() -> u32 { 2 } pub const MAX: u32 = 3; }
use m::*;
len() + MAX