pub fn run(text: String) -> String {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut unsorted: HashMap<&str, u32> = HashMap::new();
    for word in text.split(' ') {
        *counts.entry(word).or_default() += 1;
        *unsorted.entry(word).or_default() += 1;
    }
    let mut heap: BinaryHeap<(u32, &str)> = unsorted.into_iter().map(|(word, n)| (n, word)).collect();
    let words: BTreeSet<&str> = text.split(' ').collect();
    let same: HashSet<&str> = words.iter().copied().collect();
    let mut back = VecDeque::new();
    for word in words {
        assert!(same.contains(word));
        back.push_front(word);
    }
    let all: Vec<String> = counts.iter().map(|(word, n)| format!("{word}{n}")).collect();
    let (most, word) = heap.pop().unwrap();
    format!("{}; {most} {word}; {back:?}; {}", all.join(" "), u32::from_str("7").unwrap())
}
