mod core { pub fn one() -> u32 { 1 } }
mod alloc { pub fn two() -> u32 { 2 } }
mod std { pub fn four() -> u32 { 4 } }
#[derive(Debug, Clone, PartialEq)]
struct Sum(u32);
pub fn run() -> String {
    println!("{}", vec![1].len());
    let sum = Sum(self::core::one() + self::alloc::two() + self::std::four());
    assert_eq!(sum, sum.clone());
    format!("{sum:?}")
}
