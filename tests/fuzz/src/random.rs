//! The one source of chance: everything that a case consists of follows from a seed and a number.

use fastrand::Rng;

/// A generator that is the same on every machine for the same seed and path.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// The generator of one thing: a run's `seed`, what it is for, and which one it is.
    pub fn of(seed: u64, purpose: u64, number: u64) -> Self {
        let mut state = seed;
        for part in [purpose, number] {
            // Steps of SplitMix64: neighbouring numbers must not give alike cases.
            state = state.wrapping_add(part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            state ^= state >> 31;
        }
        Self(Rng::with_seed(state))
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.0.u32(0..100) < percent
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        self.0.usize(low..=high)
    }

    /// One of these; the list must not be empty.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.0.usize(..of.len())]
    }

    /// Some of these in their order, at least `least` if there are as many.
    pub fn some<T: Clone>(&mut self, of: &[T], least: usize) -> Vec<T> {
        let mut kept: Vec<bool> = of.iter().map(|_| self.0.bool()).collect();
        let wanted = least.min(of.len());
        while kept.iter().filter(|kept| **kept).count() < wanted {
            let at = self.0.usize(..of.len());
            kept[at] = true;
        }
        let pairs = of.iter().zip(kept);
        pairs
            .filter(|(_, kept)| *kept)
            .map(|(one, _)| one.clone())
            .collect()
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Bytes for a generator that eats them.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.fill(&mut bytes);
        bytes
    }
}
