["2026-01-02T03:04:05Z", "1969-12-31T23:59:59.5Z", "2026-06-30T23:30:00-05:00"]
    .into_iter()
    .map(|text| calendar::parse_instant(text).map(|instant| instant.seconds))
    .collect()
