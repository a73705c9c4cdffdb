pub fn run(text: String) -> Note {
    let first = text.split(',').next().unwrap_or_default();
    Note { label: "x", by: first }
}
