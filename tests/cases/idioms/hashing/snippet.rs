use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    a: String,
    b: u8,
}
fn h<T: Hash>(t: &T) -> u64 {
    let mut s = DefaultHasher::new();
    t.hash(&mut s);
    s.finish()
}
struct Fnv(u64);
impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf29ce484222325)
    }
}
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, b: &[u8]) {
        for x in b {
            self.0 ^= *x as u64;
            self.0 = self.0.wrapping_mul(0x100000001b3);
        }
    }
}
pub fn run(text: String) -> String {
    let mut m: HashMap<Key, u32> = HashMap::with_capacity(4);
    match m.entry(Key { a: text.clone(), b: 1 }) {
        Entry::Occupied(mut e) => {
            *e.get_mut() += 1;
        }
        Entry::Vacant(e) => {
            e.insert(1);
        }
    }
    m.entry(Key { a: "x".into(), b: 2 })
        .and_modify(|v| *v += 1)
        .or_insert(5);
    let a: HashSet<char> = text.chars().collect();
    let b = HashSet::from(['a', 'b']);
    let mut u: Vec<_> = a.union(&b).copied().collect();
    u.sort();
    let f: HashMap<&str, u8, BuildHasherDefault<Fnv>> = HashMap::default();
    let same = h(&text) == h(&text);
    format!(
        "{} {u:?} {same} {} {}",
        m.values().sum::<u32>(),
        f.len(),
        a.is_subset(&b) || !a.is_disjoint(&b)
    )
}
