bank::pay(&Payment { payee: "alice".into(), amount: f64::NEG_INFINITY }, Speed::Slow).map(|n| n.to_string()).unwrap_or_else(|e| e)
