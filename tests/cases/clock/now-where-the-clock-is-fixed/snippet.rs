let now = wall::now();
let today = wall::today();
let due = calendar::add_months(today, 1)?;
Ok((calendar::to_rfc3339(now)?, now == wall::now(), format!("{}-{}-{}", due.year, due.month, due.day)))
