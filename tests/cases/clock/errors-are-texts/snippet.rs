let day = calendar::Date { year: 2023, month: 2, day: 29 };
vec![
    calendar::details(day).unwrap_err(),
    calendar::parse_date("31.01.2026").unwrap_err().chars().take(50).collect(),
    calendar::parse("x", "%L").unwrap_err().chars().take(24).collect(),
    calendar::add_days(calendar::Date { year: 9999, month: 12, day: 31 }, 1).unwrap_err(),
]
