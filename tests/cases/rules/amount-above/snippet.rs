bank::pay(&Payment { payee: "alice".into(), amount: 10.000001 }, Speed::Slow).map(|n| n.to_string()).unwrap_or_else(|e| e)
