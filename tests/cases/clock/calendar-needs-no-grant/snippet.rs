let mut lines = Vec::new();
for text in ["2024-02-29", "2023-12-31", "2021-01-03", "2000-03-01", "1969-07-20"] {
    let details = calendar::details(calendar::parse_date(text)?)?;
    lines.push(format!("{:?} {} {}-W{:02}", details.weekday, details.day_of_year, details.iso_year, details.iso_week));
}
Ok(lines)
