let item = shop::Item { name: names[0].clone(), prices: vec![] };
shop::order(&item, names.len(), "today").map_err(|e| e.to_string())
