macro_rules! format { ($($t:tt)*) => { "mine".to_string() } }
format!("{}", 1)