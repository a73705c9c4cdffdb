//! What a seed gives, for good; and that numbers are evenly distributed.

use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::draw::{self, MAX_BYTES, MAX_INDICES};
use super::seeded;

fn stream() -> ChaCha20Rng {
    ChaCha20Rng::from_seed([7; 32])
}

/// Computed by a Python program of the two algorithms, after the module's documentation. Every version must give them.
#[test]
fn a_seed_gives_the_same_numbers_for_good() {
    let mut stream = seeded(42, 0, "hole", "lacuna:random/random@0.1.0");
    let integers: Vec<i64> = (0..5)
        .map(|_| draw::integer(&mut stream, 1, 6).unwrap())
        .collect();
    assert_eq!(integers, [2, 5, 4, 2, 3]);
    assert_eq!(draw::float(&mut stream).to_string(), "0.6409705807266174");
    assert_eq!(draw::shuffle(&mut stream, 6).unwrap(), [4, 1, 3, 5, 0, 2]);
    assert_eq!(draw::sample(&mut stream, 100, 4).unwrap(), [0, 86, 70, 43]);
    assert_eq!(draw::bytes(&mut stream, 4).unwrap(), [87, 124, 41, 109]);
    assert_eq!(draw::choose(&mut stream, 10), Some(1));
}

#[test]
fn each_part_of_the_key_counts() {
    let first = |seed, number, hole, import| seeded(seed, number, hole, import).next_u64();
    let known = [
        first(42, 0, "hole", "dice"),
        first(43, 0, "hole", "dice"),
        first(42, 1, "hole", "dice"),
        first(42, 0, "holes", "dice"),
        first(42, 0, "hole", "die"),
        first(42, 0, "holed", "ice"),
    ];
    for (at, one) in known.iter().enumerate() {
        assert!(!known[..at].contains(one));
    }
    assert_eq!(known[0], first(42, 0, "hole", "dice"));
}

#[test]
fn ends_of_the_ranges() {
    let mut stream = stream();
    assert_eq!(draw::integer(&mut stream, 5, 5), Ok(5));
    assert!(draw::integer(&mut stream, i64::MIN, i64::MAX).is_ok());
    assert_eq!(
        draw::integer(&mut stream, 2, 1),
        Err("there is no number from 2 to 1".to_owned())
    );
    assert_eq!(draw::choose(&mut stream, 0), None);
    assert_eq!(draw::choose(&mut stream, 1), Some(0));
    assert_eq!(draw::shuffle(&mut stream, 0), Ok(vec![]));
    assert_eq!(draw::sample(&mut stream, 0, 0), Ok(vec![]));
    assert!(draw::sample(&mut stream, 3, 4).is_err());
    assert!(draw::sample(&mut stream, u32::MAX, MAX_INDICES + 1).is_err());
    assert!(draw::shuffle(&mut stream, MAX_INDICES + 1).is_err());
    assert!(draw::bytes(&mut stream, MAX_BYTES + 1).is_err());
    assert_eq!(draw::bytes(&mut stream, MAX_BYTES).unwrap().len(), 1 << 20);
    assert_eq!(
        draw::shuffle(&mut stream, MAX_INDICES).unwrap().len(),
        1_000_000
    );
    let wide = draw::sample(&mut stream, u32::MAX, 1000).unwrap();
    assert_eq!(wide.len(), 1000);
}

/// Chi-squared over 6 faces of 60,000 throws: with 5 degrees of freedom above 30 once in 68,000 times; the stream is fixed.
#[test]
fn faces_come_equally_often() {
    let mut stream = stream();
    let mut counts = [0_f64; 6];
    for _ in 0..60_000 {
        let face = draw::integer(&mut stream, 1, 6).unwrap();
        counts[face as usize - 1] += 1.0;
    }
    let chi: f64 = counts
        .iter()
        .map(|count| (count - 10_000.0).powi(2) / 10_000.0)
        .sum();
    assert!(chi < 30.0, "{counts:?}");
}

/// The same over the orders of three indices, for a shuffle and for a sample.
#[test]
fn orders_come_equally_often() {
    for draw in [
        |stream: &mut ChaCha20Rng| draw::shuffle(stream, 3).unwrap(),
        |stream: &mut ChaCha20Rng| draw::sample(stream, 3, 3).unwrap(),
    ] {
        let mut stream = stream();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            *counts.entry(draw(&mut stream)).or_insert(0_f64) += 1.0;
        }
        assert_eq!(counts.len(), 6);
        let chi: f64 = counts
            .values()
            .map(|count| (count - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi < 30.0, "{counts:?}");
    }
}

proptest! {
    #[test]
    fn numbers_stay_in_their_range(key in any::<[u8; 32]>(), low in any::<i64>(), high in any::<i64>(), count in any::<u32>(), amount in 0..200_u32) {
        let mut stream = ChaCha20Rng::from_seed(key);
        match draw::integer(&mut stream, low, high) {
            Ok(number) => prop_assert!((low..=high).contains(&number)),
            Err(_) => prop_assert!(low > high),
        }
        prop_assert!((0.0..1.0).contains(&draw::float(&mut stream)));
        prop_assert!(draw::choose(&mut stream, count).is_none_or(|index| index < count));
        for below in [count, amount] {
            if let Ok(mut sample) = draw::sample(&mut stream, below, amount) {
                prop_assert_eq!(sample.len(), amount as usize);
                prop_assert!(sample.iter().all(|index| *index < below));
                sample.sort_unstable();
                sample.dedup();
                prop_assert_eq!(sample.len(), amount as usize);
            }
        }
        let mut shuffled = draw::shuffle(&mut stream, amount).unwrap();
        shuffled.sort_unstable();
        prop_assert_eq!(shuffled, (0..amount).collect::<Vec<u32>>());
    }
}
