vec![
    format!("{} {}", s.to_uppercase(), s.len()),
    "ὈΔΥΣΣΕΎΣ".to_lowercase(),
    'İ'.to_lowercase().collect(),
    format!("{} {}", "ÉA".to_lowercase() == "éa", "É".eq_ignore_ascii_case("é")),
    "ß".to_ascii_uppercase(),
    format!("f{}", 'ﬃ'.to_uppercase().skip(1).collect::<String>()),
]
