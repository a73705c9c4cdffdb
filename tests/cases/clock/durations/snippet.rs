let mut total = 0;
for text in ["1h 30m", "PT45M", "00:15:30", "2 days"] {
    total += calendar::parse_duration(text)?;
}
Ok(vec![calendar::format_duration(total), calendar::format_duration(-1500)])
