let t = s.trim();
vec![
    t.to_string(),
    t.trim_start_matches('x').to_string(),
    t.strip_prefix('x').unwrap_or("none").to_string(),
    t.trim_matches(|c| c == 'é' || c == '-').to_string(),
    format!("{:?} {:?} {:?}", t.find('é'), t.rfind("é"), t.find(char::is_numeric)),
    t.replacen('é', "e", 1),
    format!("{} {}", t.is_char_boundary(4), t.is_char_boundary(3)),
    t.get(4..).unwrap_or("inside").to_string(),
]
