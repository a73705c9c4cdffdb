let mut both = (Vec::new(), Vec::new());
for _ in 0..4 {
    both.0.push(dice::integer(1, 100)?);
    both.1.push(coins::integer(1, 100)?);
}
Ok(both)
