let item = shop::Item { name: "bread", prices: Vec::new() };
shop::order(&shop::Wish::Buy(item), 1, None).map_err(|e| e.to_string())
