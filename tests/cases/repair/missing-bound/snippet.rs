fn largest<T: Copy>(items: &[T]) -> Option<T> {
    let mut best = *items.first()?;
    for item in items {
        if *item > best {
            best = *item;
        }
    }
    Some(best)
}

pub fn run(numbers: Vec<u32>) -> u32 {
    largest(&numbers).unwrap_or(0)
}
