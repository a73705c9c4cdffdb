fn show(item: &a::Item) -> String {
    match item {
        a::Item::One(n) => format!("one {n}"),
        a::Item::None => "none".to_string(),
    }
}

pub mod a {
    pub fn make(n: u8) -> Item {
        if n == 0 { Item::None } else { Item::One(n) }
    }
}

pub mod b {
    use super::{a, show};

    pub fn make(n: u8) -> super::b::Item {
        Item { text: show(&a::make(n)) }
    }
}
