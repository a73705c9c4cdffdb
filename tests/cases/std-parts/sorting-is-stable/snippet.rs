// Every length to 40 and one long one, with many equal keys: compared with an insertion sort, which is stable.
pub fn run() -> u32 {
    let mut seed = 7u64;
    let mut next = || { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (seed >> 33) as u32 };
    let mut wrong = 0;
    for length in (0..40).chain([1000]) {
        let items: Vec<(u32, usize)> = (0..length).map(|at| (next() % 7, at)).collect();
        let mut expected: Vec<(u32, usize)> = Vec::new();
        for item in &items {
            let at = expected.iter().rposition(|known| known.0 <= item.0).map_or(0, |at| at + 1);
            expected.insert(at, *item);
        }
        let mut by = items.clone();
        by.sort_by(|a, b| a.0.cmp(&b.0));
        let mut by_key = items.clone();
        by_key.sort_by_key(|item| item.0);
        let mut unstable = items.clone();
        unstable.sort_unstable_by_key(|item| item.0);
        let keys = |of: &[(u32, usize)]| of.iter().map(|item| item.0).collect::<Vec<_>>();
        let mut texts: Vec<String> = items.iter().map(|item| item.0.to_string()).collect();
        texts.sort_by(|a, b| b.cmp(a));
        if by != expected || by_key != expected || keys(&unstable) != keys(&expected) { wrong += 1; }
        if !texts.windows(2).all(|pair| pair[0] >= pair[1]) { wrong += 1; }
    }
    wrong
}
