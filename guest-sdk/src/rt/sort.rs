//! Sorting that costs little to compile: the sort itself works on positions and exists once, and each element type adds
//! only the exchange of elements. The driftsort of the standard library is ten functions for each type.

use std::cmp::Ordering;

/// A stable sort. If the comparison panics, the elements are as they were.
#[inline(never)]
pub fn sort<T>(elements: &mut [T], compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    let mut order = order(elements.len(), &mut |left, right| {
        compare(&elements[left], &elements[right]) == Ordering::Greater
    });
    // Cycle by cycle: what belongs at `place` stands at `order[place]`.
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = order[place];
            order[place] = place;
            if from == start {
                break;
            }
            elements.swap(place, from);
            place = from;
        }
    }
}

/// The positions in sorted order: merges runs of 1, 2, 4, … of them.
fn order(length: usize, after: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    let mut merged: Vec<usize> = Vec::with_capacity(length);
    let mut run = 1;
    while run < length {
        let mut start = 0;
        while start < length {
            let middle = length.min(start + run);
            let end = length.min(middle + run);
            let (mut left, mut right) = (start, middle);
            while left < middle && right < end {
                if after(order[left], order[right]) {
                    merged.push(order[right]);
                    right += 1;
                } else {
                    merged.push(order[left]);
                    left += 1;
                }
            }
            merged.extend_from_slice(&order[left..middle]);
            merged.extend_from_slice(&order[right..end]);
            start = end;
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        run *= 2;
    }
    order
}
