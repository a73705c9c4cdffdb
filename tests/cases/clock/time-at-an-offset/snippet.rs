use calendar::Instant;
let when: Instant = calendar::parse_instant("2026-03-28T20:15:00Z")?;
let there = calendar::to_date_time(when, 330)?;
Ok((calendar::format(there, "%F %T")?, calendar::to_instant(there, 330)? == when))
