let Some(s) = s else { "none".to_string(); };
s
