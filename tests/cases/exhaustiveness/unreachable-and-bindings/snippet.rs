const ORIGIN: i32 = 0;
es.into_iter()
    .map(|e| match e {
        Event::Key(c @ 'a'..='z') => format!("lower {c}"),
        Event::Key(c) => format!("other {c}"),
        Event::Click((ORIGIN, n) | (n, ORIGIN)) => format!("edge {n}"),
        Event::Click((x, y)) => format!("at {x},{y}"),
        Event::Scroll(n @ (..=-1 | 1..)) => format!("by {n}"),
        Event::Scroll(_) => "still".into(),
        Event::Quit => "quit".into(),
    })
    .collect()
