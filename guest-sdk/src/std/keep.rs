//! Generic code that most snippets need, compiled here once: rustc reuses the instances of the crates it links
//! (at opt-level 0), so a snippet does not compile them again.
//!
//! The statics are private and not `#[used]`: the linker drops what a snippet does not call. A larger set would cost
//! more in the linker than it saves in rustc.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

fn list<T: Clone + PartialEq + std::fmt::Debug>(mut list: Vec<T>, value: T) -> usize {
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
    crate::sort::sort(&mut list, &mut |_, _| std::cmp::Ordering::Equal);
    list.dedup();
    list.truncate(1);
    list.clear();
    format!("{list:?}").len() + list.len() + usize::from(list.is_empty())
}

fn hash_map<K: Hash + Eq + Clone, V: Clone + Default>(key: K, value: V) -> usize {
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

fn tree_map<K: Ord + Clone, V: Clone + Default>(key: K, value: V) -> usize {
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

fn sets<T: Hash + Ord + Clone>(value: T) -> usize {
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

fn strings(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let by_char: Vec<&str> = text.split(',').collect();
    let by_text: Vec<&str> = text.split(", ").map(str::trim).collect();
    let owned: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    let chars: Vec<char> = text.chars().collect();
    let again: String = chars.iter().collect();
    let reversed: String = text.chars().rev().collect();
    let mut all = lines.join("\n")
        + &by_char.concat()
        + &by_text.join("")
        + &owned.join(", ")
        + &again
        + &reversed;
    if text.starts_with("a")
        || text.starts_with('a')
        || text.ends_with("b")
        || text.contains("c")
        || text.contains('d')
    {
        all.push_str(&text.replace("a", "b"));
    }
    if let (Some((left, right)), Some(at)) = (text.split_once(':'), text.find("x")) {
        all = format!("{left} {right} {at} {all}");
    }
    if let (Ok(number), Ok(real)) = (text.parse::<i64>(), text.parse::<f64>()) {
        all = format!("{number} {real:.2} {:?}", text.strip_prefix("p"));
    }
    if let (Ok(number), Ok(size), Ok(signed)) = (
        text.parse::<u32>(),
        text.parse::<usize>(),
        text.parse::<i32>(),
    ) {
        all = format!("{number} {size} {signed} {:?}", text.parse::<u64>());
    }
    all.to_string()
}

static KEEP_LISTS: (
    fn(Vec<String>, String) -> usize,
    fn(Vec<u8>, u8) -> usize,
    fn(Vec<u32>, u32) -> usize,
    fn(Vec<i32>, i32) -> usize,
    fn(Vec<u64>, u64) -> usize,
    fn(Vec<i64>, i64) -> usize,
    fn(Vec<f64>, f64) -> usize,
    fn(Vec<usize>, usize) -> usize,
    fn(Vec<char>, char) -> usize,
    fn(Vec<&'static str>, &'static str) -> usize,
    fn(Vec<(String, u32)>, (String, u32)) -> usize,
    fn(Vec<(String, usize)>, (String, usize)) -> usize,
    fn(Vec<Vec<String>>, Vec<String>) -> usize,
) = (
    list, list, list, list, list, list, list, list, list, list, list, list, list,
);

static KEEP_MAPS: (
    fn(String, u32) -> usize,
    fn(String, usize) -> usize,
    fn(String, String) -> usize,
    fn(String, Vec<String>) -> usize,
    fn(&'static str, u32) -> usize,
    fn(&'static str, usize) -> usize,
) = (hash_map, hash_map, hash_map, hash_map, hash_map, hash_map);

static KEEP_TREES: (
    fn(String, u32) -> usize,
    fn(String, usize) -> usize,
    fn(String, String) -> usize,
    fn(String, Vec<String>) -> usize,
) = (tree_map, tree_map, tree_map, tree_map);

static KEEP_SETS: (
    fn(String) -> usize,
    fn(u32) -> usize,
    fn(&'static str) -> usize,
) = (sets, sets, sets);

fn totals(list: &[u32], large: &[u64], signed: &[i64], real: &[f64], sizes: &[usize]) -> String {
    let (total, large): (u32, u64) = (list.iter().sum(), large.iter().sum());
    let (signed, real): (i64, f64) = (signed.iter().sum(), real.iter().sum());
    let size: usize = sizes.iter().sum();
    let ends = (list.iter().max().copied(), list.iter().min().copied());
    format!("{total} {large} {signed} {real} {size} {ends:?}")
}

static KEEP_TOTALS: fn(&[u32], &[u64], &[i64], &[f64], &[usize]) -> String = totals;

static KEEP_STRINGS: fn(&str) -> String = strings;
