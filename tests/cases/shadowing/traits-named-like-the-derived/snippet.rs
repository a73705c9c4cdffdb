trait Clone {}
trait Debug {}
trait PartialEq {}
trait Default { fn none() -> u8 { 3 } }
#[derive(Clone, Debug, PartialEq, Default)]
struct A { n: u8 }
impl Default for A {}
let a = A { n: <A as Default>::none(), ..::core::default::Default::default() };
format!("{a:?} {}", a.clone() == a)
