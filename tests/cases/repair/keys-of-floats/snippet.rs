struct Item {
    price: f64,
}

pub fn run(text: String) -> String {
    let mut items: Vec<Item> = text.split(',').filter_map(|x| x.parse().ok()).map(|price| Item { price }).collect();
    items.sort_by_key(|item| item.price);
    let best = items.iter().max_by_key(|x| x.price);
    let mut known = vec![1.5, 0.5];
    known.sort();
    format!("{}", best.is_some())
}
