use crate::{Item, repo};
use super::Item as Same;
use self::Item as Typed;

mod inner {
    use crate::Item;

    pub fn named(name: &str) -> Item {
        Item { name: name.to_string(), price: crate::repo::entries(".").map_or(0.0, |all| all.len().min(1) as f64) }
    }
}

pub fn run(text: String) -> Vec<Item> {
    let known = repo::read_text("none.txt").is_err();
    let same: Same = crate::Item { name: text, price: 2.0 };
    let typed: Typed = inner::named(if known { "a" } else { "b" });
    vec![same, typed]
}
