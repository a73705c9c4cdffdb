pub fn run() -> String {
    let to​tal = 1;
    total.to_string()
}
