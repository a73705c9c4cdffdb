let mut total = 0;
for x in xs { total += x.len(); }
format!("{total} of {}", xs.len())
