let label: &str;
if n > 10 { label = "large"; }
label.to_string()
