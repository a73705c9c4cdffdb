mod words {
    fn count(text: &str) -> u32 {
        text.split(' ').count() as u32
    }
}

pub fn run(text: String) -> u32 {
    words::count(&text)
}
