let mut shuffled = random::shuffle(52)?;
let differs = shuffled != random::shuffle(52)?;
shuffled.sort();
let inside = (0..500).all(|_| {
    let float = random::float();
    (0.0..1.0).contains(&float) && matches!(random::integer(-3, 3), Ok(-3..=3))
});
Ok(differs && inside && shuffled == (0..52).collect::<Vec<u32>>() && random::bytes(32)? != random::bytes(32)?)
