let mut out = vec![x];
out.extend(xs.into_iter().rev());
out
