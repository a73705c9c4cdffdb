let config = Config { name: "a".into(), ..Default::default() };
(config, s.unwrap_or_default(), n.flatten().map_or(7, |n| n))
