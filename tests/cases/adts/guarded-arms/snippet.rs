match &e { Event::Added(i) if i.qty > 1 => i.sku.clone(), Event::Added(i) => i.sku.to_uppercase(), Event::Removed(s) => s.clone(), Event::Cleared => "-".into() }
