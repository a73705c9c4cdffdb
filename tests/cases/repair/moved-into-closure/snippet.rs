pub fn run(prefix: String, names: Vec<String>) -> Vec<String> {
    let kept: Vec<String> = names.into_iter().filter(move |name| name.starts_with(&prefix)).collect();
    if kept.is_empty() {
        return vec![prefix];
    }
    kept
}
