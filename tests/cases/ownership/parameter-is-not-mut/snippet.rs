xs.sort_unstable();
xs.dedup();
xs
