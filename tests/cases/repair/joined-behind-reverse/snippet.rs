pub fn run(text: String) -> String {
    let mut words: Vec<&str> = text.split(',').collect();
    words.reverse().join(" ")
}
