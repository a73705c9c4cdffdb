(0..300).map(|i| "x".repeat(i % 7)).collect::<Vec<_>>()[..4].to_vec()
