let dice = (0..8).map(|_| random::integer(1, 6)).collect::<Result<_, _>>()?;
Ok((dice, random::float(), random::shuffle(5)?, random::sample(1000, 3)?, random::bytes(6)?, random::choose(7)))
