macro_rules! sum { () => { 0 }; ($x:expr $(, $rest:expr)* $(,)?) => { $x + sum!($($rest),*) } }
macro_rules! pairs { ($($k:ident => $v:expr),* $(,)?) => {{ let mut s = String::new(); $( s += &format!("{}={};", stringify!($k), $v); )* s }} }
macro_rules! shadow { ($e:expr) => {{ let x = 9; let _ = x; $e }} }
macro_rules! kinds { ($name:ident { $($case:ident),* }) => { #[derive(Debug)] enum $name { $($case),* } impl $name { const ALL: &'static [$name] = &[$($name::$case),*]; } } }
macro_rules! rows { ($([$($x:literal),*]),*) => { vec![$(vec![$($x),*]),*] } }
macro_rules! count { ($($t:tt)*) => { <[()]>::len(&[$(count!(@one $t)),*]) }; }
macro_rules! biggest { ($a:expr) => { $a }; ($a:expr, $($b:expr),+) => { { let rest = biggest!($($b),+); if $a > rest { $a } else { rest } } } }
kinds!(Color { Red, Green });
let x = 1;
#[allow(unused_macros)] macro_rules! unused { () => { count!(a b) } }
vec![
    sum!(1, 2, 3,).to_string(),
    pairs! { a => 1, b => 1 + 1, c => sum!(1, 2) },
    shadow!(x).to_string(),
    Color::ALL.iter().map(|c| format!("{c:?}")).collect::<Vec<_>>().join(" "),
    format!("{:?}", rows!([1, 2], [3])),
    biggest!(4, 9, 2).to_string(),
]
