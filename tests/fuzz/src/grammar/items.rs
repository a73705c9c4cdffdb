//! Items of the snippet's own: functions, generics, traits, structs, modules, macros, each with an expression that uses
//! it.

use super::Writer;
use crate::world::Ty;

/// What an item of the snippet gives.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    /// The expression; `A` stands for an argument, `S` for another.
    call: String,
    /// Types of `A` and `S`.
    takes: Vec<Ty>,
    gives: Ty,
}

/// Items with their uses: `N` is a fresh name, `A` a `u32`, `S` a `String`; the value is a `u32` or, behind `text:`, a
/// `String`.
const ITEMS: [(&str, &str); 24] = [
    (
        "fn fN(n: u32) -> u32 { if n < 2 { n } else { fN(n / 2).wrapping_add(1) } }",
        "fN(A)",
    ),
    (
        "fn gN<T: Clone>(one: &T, count: u32) -> Vec<T> { (0..count % 5).map(|_| one.clone()).collect() }",
        "(gN(&S, A).len() as u32)",
    ),
    (
        "fn hN<F>(f: F) -> u32 where F: Fn(u32) -> u32 { f(3) }",
        "hN(|n| n.wrapping_add(A))",
    ),
    (
        "struct SN { left: u32, right: String }\nimpl SN { fn size(&self) -> u32 { self.left.wrapping_add(self.right.len() as u32) } }",
        "SN { left: A, right: S }.size()",
    ),
    (
        "#[derive(Debug, Clone, PartialEq, Default)] struct DN<T> { inner: T }",
        "text:format!(\"{:?}\", DN { inner: A }.clone())",
    ),
    (
        "trait TN { fn weighN(&self) -> u32 { 1 } }\nimpl TN for String { fn weighN(&self) -> u32 { self.len() as u32 } }\nimpl TN for u32 {}",
        "(S.weighN() + A.weighN())",
    ),
    (
        "mod mN { pub fn twice(n: u32) -> u32 { n.wrapping_mul(2) } pub mod deep { pub const K: u32 = 7; } }",
        "mN::twice(A) ^ mN::deep::K",
    ),
    (
        "macro_rules! maxN { ($a:expr) => { $a }; ($a:expr, $($rest:expr),+) => { { let (a, b) = ($a, maxN!($($rest),+)); if a > b { a } else { b } } } }",
        "maxN!(A, 3u32, 9u32)",
    ),
    (
        "macro_rules! makeN { ($name:ident, $value:expr) => { fn $name() -> u32 { $value } } }\nmakeN!(madeN, 11);",
        "madeN().wrapping_add(A)",
    ),
    (
        "enum EN { Leaf(u32), Node(Box<EN>, Box<EN>) }\nimpl EN { fn sum(&self) -> u32 { match self { EN::Leaf(n) => *n, EN::Node(a, b) => a.sum().wrapping_add(b.sum()) } } }",
        "EN::Node(Box::new(EN::Leaf(A)), Box::new(EN::Leaf(2))).sum()",
    ),
    (
        "struct IN(u32);\nimpl Iterator for IN { type Item = u32; fn next(&mut self) -> Option<u32> { if self.0 == 0 { None } else { self.0 /= 2; Some(self.0) } } }",
        "IN(A).map(|n| n % 3).sum::<u32>()",
    ),
    (
        "use std::collections::BTreeSet as BN;",
        "(S.chars().collect::<BN<char>>().len() as u32)",
    ),
    (
        "const CN: u32 = { let mut n = 1; while n < 50 { n *= 3; } n };",
        "CN.wrapping_mul(A)",
    ),
    (
        "static XN: std::sync::Mutex<Vec<u32>> = std::sync::Mutex::new(Vec::new());",
        "{ XN.lock().unwrap().push(A); XN.lock().unwrap().len() as u32 }",
    ),
    (
        "thread_local! { static LN: std::cell::Cell<u32> = const { std::cell::Cell::new(5) } }",
        "LN.with(|cell| { cell.set(cell.get() + 1); cell.get() })",
    ),
    (
        "type PN<'a> = Box<dyn Fn(&str) -> usize + 'a>;",
        "{ let f: PN<'_> = Box::new(|text| text.len()); f(&S) as u32 }",
    ),
    (
        "fn qN(text: &str) -> Result<u32, std::num::ParseIntError> { let n: u32 = text.trim().parse()?; Ok(n) }",
        "qN(&S).unwrap_or(A)",
    ),
    (
        "impl std::fmt::Display for VN { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"<{}>\", self.0) } }\nstruct VN(u32);",
        "text:VN(A).to_string()",
    ),
    (
        "#[derive(Debug)] enum ErrN { Empty, Long(usize) }\nimpl std::error::Error for ErrN {}\nimpl std::fmt::Display for ErrN { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"{self:?}\") } }\nfn checkN(text: &str) -> Result<u32, Box<dyn std::error::Error>> { if text.is_empty() { return Err(ErrN::Empty.into()); } if text.len() > 9 { Err(ErrN::Long(text.len()))? } Ok(1) }",
        "checkN(&S).map_err(|e| e.to_string()).unwrap_or_default()",
    ),
    (
        "struct OpN(u32);\nimpl std::ops::Add for OpN { type Output = OpN; fn add(self, other: OpN) -> OpN { OpN(self.0.wrapping_add(other.0)) } }",
        "(OpN(A) + OpN(1)).0",
    ),
    (
        "fn arrN<const K: usize>(n: u32) -> [u32; K] { let mut all = [0; K]; for (i, one) in all.iter_mut().enumerate() { *one = n ^ i as u32; } all }",
        "arrN::<4>(A)[2]",
    ),
    (
        "use std::fmt::Write as _;\nfn wN(n: u32) -> String { let mut text = String::new(); let _ = write!(text, \"{n:>4}\"); text }",
        "text:wN(A)",
    ),
    (
        "#[allow(dead_code)] pub(crate) fn lifeN<'a>(one: &'a str, two: &'a str) -> &'a str { if one.len() > two.len() { one } else { two } }",
        "text:lifeN(&S, \"ab\").to_owned()",
    ),
    (
        "#[cfg(test)] mod testsN { #[test] fn t() { nothing() } }\nasync fn asN() -> u32 { 1 }",
        "{ let _ = asN(); A }",
    ),
];

impl Writer<'_> {
    /// Items, and what they give.
    pub(super) fn helper(&mut self) -> (String, Helper) {
        if self.random.chance(20) {
            return self.typed_function();
        }
        let (items, call) = *self.random.pick(&ITEMS);
        let number = self.fresh("");
        let named = |text: &str| replace_names(text, &number);
        let (gives, call) = match call.strip_prefix("text:") {
            Some(call) => (Ty::String, call),
            None => (Ty::Int("u32"), call),
        };
        let helper = Helper {
            call: named(call),
            takes: vec![Ty::Int("u32"), Ty::String],
            gives,
        };
        (named(items), helper)
    }

    /// A function over types of the plan.
    fn typed_function(&mut self) -> (String, Helper) {
        let (takes, gives) = (self.some_type(), self.some_type());
        let name = self.fresh("plan_fn");
        let body = self.literal(&gives, 2);
        let (from, to) = (self.world.rust(&takes, ""), self.world.rust(&gives, ""));
        let items = format!("fn {name}(_given: {from}) -> {to} {{ {body} }}");
        (
            items,
            Helper {
                call: format!("{name}(A)"),
                takes: vec![takes, Ty::String],
                gives,
            },
        )
    }

    /// An expression of the type that uses an item of the snippet.
    pub(super) fn helper_use(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        let fitting: Vec<Helper> = self
            .helpers
            .iter()
            .filter(|helper| helper.gives == *ty)
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let helper = self.random.pick(&fitting).clone();
        let first = self.typed(&helper.takes[0], depth - 1);
        let second = self.typed(&helper.takes[1], depth - 1);
        Some(format!(
            "({})",
            replace_words(&helper.call, &first, &second)
        ))
    }
}

/// Puts a number where names end with a lone `N`.
fn replace_names(text: &str, number: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (at, letter) in letters.iter().enumerate() {
        let behind = letters
            .get(at + 1)
            .is_none_or(|next| !next.is_alphanumeric() && *next != '_');
        let before = at > 0 && letters[at - 1].is_alphabetic();
        if *letter == 'N' && behind && before {
            out.push_str(number);
        } else {
            out.push(*letter);
        }
    }
    out
}

/// Puts arguments where the words `A` and `S` stand.
fn replace_words(text: &str, first: &str, second: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let word = |at: usize| {
        letters
            .get(at)
            .is_some_and(|letter| letter.is_alphanumeric() || *letter == '_')
    };
    for (at, letter) in letters.iter().enumerate() {
        let alone = !word(at + 1) && (at == 0 || !word(at - 1));
        match letter {
            'A' if alone => out.push_str(first),
            'S' if alone => out.push_str(second),
            _ => out.push(*letter),
        }
    }
    out
}
