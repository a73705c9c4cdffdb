//! Sorting a `Vec` by a closure, compiled once instead of once per closure (see `lacuna_rt::sort`).
//!
//! The trait is in the prelude and a `Vec` finds its methods before those of the slice it derefs to. The results are
//! the same: a stable sort, one call of the key function per side of a comparison.

use std::cmp::Ordering;

use lacuna_rt::sort;

/// `sort_by` and its kin for `Vec`.
pub trait VecSort<T> {
    /// Sorts with a comparison; equal elements keep their order.
    fn sort_by<F>(&mut self, compare: F)
    where
        F: FnMut(&T, &T) -> Ordering;

    /// Sorts by a key; equal elements keep their order.
    fn sort_by_key<K, F>(&mut self, key: F)
    where
        F: FnMut(&T) -> K,
        K: Ord;

    /// Sorts with a comparison.
    fn sort_unstable_by<F>(&mut self, compare: F)
    where
        F: FnMut(&T, &T) -> Ordering;

    /// Sorts by a key.
    fn sort_unstable_by_key<K, F>(&mut self, key: F)
    where
        F: FnMut(&T) -> K,
        K: Ord;
}

impl<T> VecSort<T> for Vec<T> {
    fn sort_by<F>(&mut self, mut compare: F)
    where
        F: FnMut(&T, &T) -> Ordering,
    {
        sort(self, &mut compare);
    }

    fn sort_by_key<K, F>(&mut self, mut key: F)
    where
        F: FnMut(&T) -> K,
        K: Ord,
    {
        sort(self, &mut |left, right| key(left).cmp(&key(right)));
    }

    fn sort_unstable_by<F>(&mut self, mut compare: F)
    where
        F: FnMut(&T, &T) -> Ordering,
    {
        sort(self, &mut compare);
    }

    fn sort_unstable_by_key<K, F>(&mut self, mut key: F)
    where
        F: FnMut(&T) -> K,
        K: Ord,
    {
        sort(self, &mut |left, right| key(left).cmp(&key(right)));
    }
}
