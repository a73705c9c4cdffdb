pub fn run(text: String) -> String {
    let Some((key, value)) = text.split_once('=') else {
        return "no".into();
    };
    if let Ok(n) = value.trim().parse::<i64>()
        && n > 3
        && let Some(c) = key.chars().next()
    {
        return format!("{c}{n}");
    }
    'outer: for i in 0..10 {
        for j in 0..10 {
            if i * j == 42 {
                break 'outer;
            }
            if j > i {
                continue 'outer;
            }
        }
    }
    let found = 'f: {
        for (i, c) in value.char_indices() {
            if c == 'x' {
                break 'f Some(i);
            }
        }
        None
    };
    let n = loop {
        if value.len() > 0 {
            break 1;
        } else {
            break 2;
        }
    };
    format!("{found:?}{n}")
}
