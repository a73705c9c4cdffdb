let text = |d: calendar::Date| format!("{:04}-{:02}-{:02}", d.year, d.month, d.day);
let start = calendar::parse_date("2024-01-31")?;
let mut dates = Vec::new();
for months in 0..4 {
    dates.push(text(calendar::add_months(start, months)?));
}
dates.push(text(calendar::add_years(calendar::parse_date("2024-02-29")?, 1)?));
dates.push(text(calendar::add_days(start, 30)?));
Ok(dates)
