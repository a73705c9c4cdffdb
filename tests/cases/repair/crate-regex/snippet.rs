use regex::Regex;

pub fn run(text: String) -> u32 {
    let word = Regex::new(r"\w+").unwrap();
    word.find_iter(&text).count() as u32
}
