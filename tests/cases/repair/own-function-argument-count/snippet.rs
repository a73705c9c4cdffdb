fn count(text: &str, word: &str, case: bool) -> usize {
    text.split(' ').filter(|found| if case { *found == word } else { found.eq_ignore_ascii_case(word) }).count()
}

pub fn run(text: String) -> u32 {
    count(&text, "b") as u32
}
