use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;
fn group_by<T, K, F>(items: impl IntoIterator<Item = T>, key: F) -> HashMap<K, Vec<T>>
where
    K: Eq + Hash,
    F: Fn(&T) -> K,
{
    let mut map = HashMap::new();
    for item in items {
        map.entry(key(&item)).or_insert_with(Vec::new).push(item);
    }
    map
}
fn show<T: Display + ?Sized, U>(t: &T, u: U) -> String
where
    U: Debug + Clone,
{
    format!("{t}{u:?}")
}
pub fn run(text: String) -> String {
    let g = group_by(text.split(' '), |w| w.len());
    let mut keys: Vec<_> = g.keys().copied().collect();
    keys.sort();
    show("x", keys)
}
