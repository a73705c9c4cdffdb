Report {
    rows: vec![
        None,
        Some(Ok((1, "one".to_string()))),
        Some(Err(Problem::AtLine(2))),
        Some(Err("no such row".to_string())),
    ],
}
