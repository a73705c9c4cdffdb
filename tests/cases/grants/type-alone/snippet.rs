let dirs: Vec<Dir> = vec![fs::home(), fs::home()];
let last: Option<&Dir> = dirs.last();
format!("{} {}", dirs.len(), last.is_some())
