struct Counter { words: Vec<String>, total: u32 }

impl Counter {
    fn add(&mut self, word: &str) { self.total += word.len() as u32; }
    fn all(&mut self) {
        for word in &self.words {
            self.add(word);
        }
    }
}

pub fn run(text: String) -> u32 {
    let mut counter = Counter { words: text.split(' ').map(str::to_string).collect(), total: 0 };
    counter.all();
    counter.total
}
