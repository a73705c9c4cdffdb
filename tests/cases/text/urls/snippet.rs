let parts = url::parse(&text)?;
let at = format!("{} {} {:?} {:?} {}", parts.scheme, parts.username, parts.host, parts.port, parts.path);
let others = vec![
    url::join(&text, "../c?d")?,
    url::encode("a b/ä"),
    url::decode("a%20b%2F%C3%A4")?,
    url::write_query(&[("a b".to_string(), "&".to_string())]),
    url::parse_query("x=1&y=two+words")[1].1.clone(),
];
Ok((at, parts.query, others))
