let start = calendar::parse_date("2026-01-01")?;
calendar::days_between(start, calendar::add_days(start, 3)?)
