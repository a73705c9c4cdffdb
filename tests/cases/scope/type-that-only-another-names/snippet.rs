pub fn run() -> String {
    let files = docs::entries().into_iter().filter(|entry| entry.kind == docs::Kind::File);
    files.map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}
