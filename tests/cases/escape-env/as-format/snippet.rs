pub fn run() -> String {
    format!(env!("PATH"))
}
