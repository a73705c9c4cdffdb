#[derive(Default)]
struct Trie {
    children: HashMap<char, Trie>,
    end: bool,
}
impl Trie {
    fn insert(&mut self, w: &str) {
        let mut node = self;
        for c in w.chars() {
            node = node.children.entry(c).or_default();
        }
        node.end = true;
    }
    fn contains(&self, w: &str) -> bool {
        let mut node = self;
        for c in w.chars() {
            match node.children.get(&c) {
                Some(n) => node = n,
                None => return false,
            }
        }
        node.end
    }
}
pub fn run(text: String) -> String {
    let mut t = Trie::default();
    text.split(' ').for_each(|w| t.insert(w));
    t.contains("abc").to_string()
}
