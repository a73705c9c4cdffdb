vec![
    random::integer(2, 1).unwrap_err(),
    random::bytes(2_000_000).unwrap_err(),
    random::shuffle(u32::MAX).unwrap_err(),
    random::sample(3, 4).unwrap_err(),
    format!("{:?}", random::choose(0)),
]
