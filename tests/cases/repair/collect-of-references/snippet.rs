pub fn run(names: Vec<String>, text: String) -> Vec<String> {
    let mut all: Vec<String> = names.iter().filter(|name| !name.is_empty()).collect();
    let more: Vec<String> = text
        .split(' ')
        .collect();
    all.extend(more);
    all
}
