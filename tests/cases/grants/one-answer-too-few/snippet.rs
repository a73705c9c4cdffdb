let a = source::get("1").unwrap_or_default() + &target::get("2").unwrap_or_default();
a + &source::get("3").unwrap_or_default()
