let mut xs = xs;
xs.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
xs.into_iter().map(|(name, _)| name).collect()