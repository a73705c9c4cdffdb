bank::pay(&Payment { payee: payee.clone(), amount: 10.0 }, Speed::Slow).map(|n| n.to_string()).unwrap_or_else(|e| e)
