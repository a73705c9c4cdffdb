//! Methods of slices that a `Vec` has itself here.
//!
//! The trait is in the prelude and a `Vec` finds its methods before those of the slice it derefs to. The results are
//! the same. Sorting by a closure is compiled once instead of once per closure (see `lacuna_rt::sort`): a stable sort, one
//! call of the key function per side of a comparison. The others are there for their receiver: through the slice
//! `v.swap(0, v.len() - 1)` borrows `v` twice, as a method of the `Vec` it does not.

use std::cmp::Ordering;
use std::slice::{ChunksMut, SliceIndex};

use lacuna_rt::sort;

/// `sort_by` and its kin for `Vec`, and what is called with its length.
pub trait VecSort<T> {
    /// Exchanges two elements.
    fn swap(&mut self, left: usize, right: usize);

    /// Moves the first elements to the end.
    fn rotate_left(&mut self, count: usize);

    /// Moves the last elements to the start.
    fn rotate_right(&mut self, count: usize);

    /// Both parts, to be changed.
    fn split_at_mut(&mut self, at: usize) -> (&mut [T], &mut [T]);

    /// An element or a part, to be changed.
    fn get_mut<I>(&mut self, index: I) -> Option<&mut I::Output>
    where
        I: SliceIndex<[T]>;

    /// Parts of one length, to be changed.
    fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;

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
    #[inline]
    #[track_caller]
    fn swap(&mut self, left: usize, right: usize) {
        self.as_mut_slice().swap(left, right);
    }

    #[inline]
    #[track_caller]
    fn rotate_left(&mut self, count: usize) {
        self.as_mut_slice().rotate_left(count);
    }

    #[inline]
    #[track_caller]
    fn rotate_right(&mut self, count: usize) {
        self.as_mut_slice().rotate_right(count);
    }

    #[inline]
    #[track_caller]
    fn split_at_mut(&mut self, at: usize) -> (&mut [T], &mut [T]) {
        self.as_mut_slice().split_at_mut(at)
    }

    #[inline]
    fn get_mut<I>(&mut self, index: I) -> Option<&mut I::Output>
    where
        I: SliceIndex<[T]>,
    {
        self.as_mut_slice().get_mut(index)
    }

    #[inline]
    #[track_caller]
    fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
        self.as_mut_slice().chunks_mut(size)
    }

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
