let letter = bank::letter(1);
let name = letter.split_whitespace().last().unwrap_or_default().trim_end_matches('.').to_string();
bank::pay(&Payment { payee: name, amount: 900.0 }, Speed::Slow).map(|n| n.to_string()).unwrap_or_else(|e| e)
