let (start, end) = (calendar::parse_date("1999-12-31")?, calendar::parse_date("2026-03-01")?);
let age = calendar::period_between(start, end)?;
Ok((calendar::days_between(start, end)?, format!("{} {} {}", age.years, age.months, age.days)))
