fn sum(to: u32) -> u32 {
    let mut total = 0;
    for i in 0u32..to {
        total += i;
    }
    total
}

pub fn run(text: String) -> Counts {
    let words: Vec<&str> = text.split(' ').collect();
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let total: f64 = words.iter().map(|word| word.len() as f64).sum();
    Counts {
        lines: sum(words.len()),
        words: words.len() + 1,
        longest,
        mean: total / words.len(),
    }
}
