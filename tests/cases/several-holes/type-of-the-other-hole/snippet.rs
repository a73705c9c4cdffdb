let l = Letter { text: "a".into() };
l.text.len() as u32
