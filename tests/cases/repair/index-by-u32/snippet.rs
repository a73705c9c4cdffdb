pub fn run(names: Vec<String>, at: u32) -> String {
    if at >= names.len() as u32 {
        return String::new();
    }
    names[at].clone()
}
