//! Instances of generic code for the types that most snippets use (see `lacuna_rt::instances`).

use lacuna_rt::instances::{hash_map, list, sets, tree_map};

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
