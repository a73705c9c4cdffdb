let (start, before) = (monotonic::now(), wall::now());
let after = wall::now();
let known = calendar::parse_instant("2026-01-01T00:00:00Z")?;
Ok(known < before && before <= after && monotonic::now() >= start)
