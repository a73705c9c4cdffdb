pub fn run(text: String) -> String {
    let known: HashMap<&str, i32> = HashMap::new();
    let n = text.parse::<i32>();
    if n > 3 || known.get("a") > 2 { text } else { String::new() }
}
