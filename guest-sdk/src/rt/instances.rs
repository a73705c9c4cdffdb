//! Generic code that most snippets need, for the crates that instantiate it: the curated `std` for the types of the
//! standard library, the bindings of a scope for its own. rustc reuses the instances of the crates it links (at
//! opt-level 0), so a snippet does not compile them again.
//!
//! Each keeps them with a private `static KEEP: fn(…) = instances::list;`, not `#[used]`: the linker drops what a snippet
//! does not call. A larger set would cost more in the linker than it saves in rustc.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// What is done with a list.
pub fn list<T: Clone + PartialEq + std::fmt::Debug>(mut list: Vec<T>, value: T) -> usize {
    list.push(value.clone());
    list.extend_from_slice(&[value.clone()]);
    list.extend(vec![value.clone()]);
    list.insert(0, value.clone());
    list.reserve(1);
    drop(list.pop());
    drop(list.remove(0));
    drop(list.first().cloned());
    drop(list.last().cloned());
    drop(list.get(0).cloned());
    drop(list[0].clone());
    let copy: Vec<T> = list.iter().cloned().collect();
    let again: Vec<T> = copy.clone().into_iter().collect();
    for value in &again {
        if list.contains(value) {
            return again.len();
        }
    }
    for value in list.iter_mut() {
        drop(value.clone());
    }
    for (_, value) in copy.iter().enumerate() {
        drop(value.clone());
    }
    crate::sort(&mut list, &mut |_, _| std::cmp::Ordering::Equal);
    list.dedup();
    list.truncate(1);
    list.clear();
    format!("{list:?}").len() + list.len() + usize::from(list.is_empty())
}

/// What is done with a hash map.
pub fn hash_map<K: Hash + Eq + Clone, V: Clone + Default>(key: K, value: V) -> usize {
    let mut map: HashMap<K, V> = HashMap::new();
    drop(map.insert(key.clone(), value));
    *map.entry(key.clone()).or_insert_with(V::default) = V::default();
    *map.entry(key.clone()).or_default() = V::default();
    drop(map.entry(key.clone()).or_insert(V::default()).clone());
    drop(map.get(&key).cloned());
    drop(map.get_mut(&key).cloned());
    let mut count = usize::from(map.contains_key(&key)) + map.len();
    for (_, value) in &map {
        drop(value.clone());
        count += 1;
    }
    count += map.keys().count() + map.values().count();
    drop(map.remove(&key));
    let list: Vec<(K, V)> = map.into_iter().collect();
    count + list.len()
}

/// What is done with a sorted map.
pub fn tree_map<K: Ord + Clone, V: Clone + Default>(key: K, value: V) -> usize {
    let mut map: BTreeMap<K, V> = BTreeMap::new();
    drop(map.insert(key.clone(), value));
    *map.entry(key.clone()).or_insert_with(V::default) = V::default();
    *map.entry(key.clone()).or_default() = V::default();
    drop(map.entry(key.clone()).or_insert(V::default()).clone());
    drop(map.get(&key).cloned());
    let mut count = usize::from(map.contains_key(&key)) + map.len();
    for (_, value) in &map {
        drop(value.clone());
        count += 1;
    }
    count += map.keys().count() + map.values().count();
    let list: Vec<(K, V)> = map.into_iter().collect();
    count + list.len()
}

/// What is done with sets.
pub fn sets<T: Hash + Ord + Clone>(value: T) -> usize {
    let mut hashed: HashSet<T> = HashSet::new();
    let mut sorted: BTreeSet<T> = BTreeSet::new();
    let mut count =
        usize::from(hashed.insert(value.clone())) + usize::from(sorted.insert(value.clone()));
    count += usize::from(hashed.contains(&value)) + usize::from(sorted.contains(&value));
    count += hashed.iter().count() + sorted.iter().count();
    let list: Vec<T> = hashed.into_iter().collect();
    let other: Vec<T> = sorted.into_iter().collect();
    count + list.len() + other.len()
}
