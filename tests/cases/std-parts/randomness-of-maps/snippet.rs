use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
fn hash<T: Hash>(t: &T) -> u64 { let mut h = DefaultHasher::new(); t.hash(&mut h); h.finish() }
#[derive(Hash, PartialEq, Eq, Clone, Copy)] enum K { A(u8), B { x: i32 } }
let m: HashMap<K, u8> = HashMap::from([(K::A(1), 1), (K::B { x: 2 }, 2)]);
let s: HashSet<char> = "hello".chars().collect();
(hash(&K::A(1)) == hash(&K::A(1)) && hash(&"a") != hash(&"b"), m.hasher().hash_one(1) == m.hasher().hash_one(1) && m[&K::B { x: 2 }] == 2, s.len() == 4)
