let row = |n: u32| names.iter().map(|s| (s.clone(), n)).collect::<Vec<_>>();
let sums = shop::sums(&[row(1), vec![], row(7)[..1].to_vec()]);
let prices = vec![("eur".to_string(), sums[0])];
let wish = shop::Wish::Buy(shop::Item { name: names.join("+"), prices });
shop::order(&wish, sums.len() as u8, names.last().map(String::as_str)).map_err(|e| e.to_string())
