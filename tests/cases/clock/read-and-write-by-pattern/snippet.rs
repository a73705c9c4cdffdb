[
    ("02/Jan/2026:03:04:05 +0130", "%d/%b/%Y:%H:%M:%S %z"),
    ("Mar 7, 2026 1:05 PM", "%b %d, %Y %I:%M %p"),
    ("20260228", "%Y%m%d"),
]
.iter()
.map(|(text, pattern)| calendar::format(calendar::parse(text, pattern)?, "%Y-%m-%d %H:%M:%S %A"))
.collect()
