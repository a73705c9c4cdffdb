use crate::Item;

pub struct Item {
    pub name: String,
}

pub fn run(text: String) -> Vec<Item> {
    vec![Item { name: text }]
}
