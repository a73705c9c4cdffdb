pub fn run(name: String) -> Finding {
    Finding { name, severity: 1 }
}
