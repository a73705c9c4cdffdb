use std::collections::hash_map::DefaultHasher;

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

pub fn run(text: String) -> bool {
    digest(&text) == digest(&text)
}
