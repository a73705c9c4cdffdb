match xs.as_slice() { [] => "none".into(), [a] => format!("one {a}"), [a, .., z] => format!("{a}..{z}") }
