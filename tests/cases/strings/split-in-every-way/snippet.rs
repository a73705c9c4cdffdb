let s = ",a,,b,";
let show = |v: Vec<&str>| format!("{v:?}");
let two = |s: Option<(&str, &str)>| format!("{s:?}");
vec![
    show(s.split(',').collect()),
    show(s.split_terminator(',').collect()),
    show(s.split_inclusive("a,,").collect()),
    show(s.splitn(3, ',').collect()),
    show("xé".split("").collect()),
    show("a\nb\r\nc".split_inclusive('\n').collect()),
    show("a\nb\r\nc".lines().collect()),
    two("k=v=w".split_once('=')),
    two("k=v=w".rsplit_once('=')),
    show("a--1::b".split(|c: char| c.is_ascii_punctuation()).filter(|p| !p.is_empty()).collect()),
]
