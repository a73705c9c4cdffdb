pub fn run(text: String) -> String {
    let depth: u32 = 2;
    format!("{}{}{text}", "-" * 10, " " * depth)
}
