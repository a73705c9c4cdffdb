let text = "A".repeat(2_000_000);
Ok(regex::find_all("(.*[^A-Z]|[A-Z])", &text)?.len() as u32)
