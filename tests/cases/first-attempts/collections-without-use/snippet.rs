pub fn run(text: String) -> u32 {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in text.split(' ') {
        *counts.entry(word).or_default() += 1;
    }
    let words: BTreeSet<&str> = counts.keys().copied().collect();
    let mut queue: VecDeque<&str> = words.into_iter().collect();
    let mut last = 0;
    while let Some(word) = queue.pop_front() {
        last = counts[word];
    }
    let mut out = String::new();
    write!(out, "{last}").unwrap();
    u32::from_str(&out).unwrap_or(0)
}
