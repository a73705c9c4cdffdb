pub fn run() -> Finding {
    Finding { name: "unused", severity: 2, tags: vec!["lint"] }
}
