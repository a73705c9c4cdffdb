pub fn count(words: &[String], text: &str) -> u32 {
    words.iter().filter(|word| text.contains(word.as_str())).count() as u32
}
