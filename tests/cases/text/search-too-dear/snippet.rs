let text = "ab".repeat(500_000);
regex::is_match("[ab]*a[ab]{800}c", &text)
