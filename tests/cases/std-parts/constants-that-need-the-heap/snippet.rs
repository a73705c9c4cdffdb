const GREETING: String = String::from("hello");
static WORDS: Vec<&str> = vec!["a"];
GREETING + WORDS[0]
