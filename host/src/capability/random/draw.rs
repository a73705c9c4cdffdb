//! Numbers of a stream. What is drawn how is fixed: a seed must give the same numbers in every version.
//!
//! - Below `n`: 64 bits of the stream, cut to as many low bits as `n - 1` has, and drawn again while they are not below `n`.
//! - `float`: the high 53 of 64 bits, times 2⁻⁵³.
//! - `shuffle`: Fisher and Yates from the end; the place `i` is exchanged with one drawn below `i + 1`.
//! - `sample`: the first places of such a shuffle from the start, of which only what was exchanged is kept.

use std::collections::HashMap;

use rand_chacha::rand_core::RngCore;

/// Most bytes of one call: 1 MiB.
pub(super) const MAX_BYTES: u32 = 1 << 20;

/// Most indices of one call.
pub(super) const MAX_INDICES: u32 = 1_000_000;

/// A number below `bound`, which is not 0; below 2⁶⁴ where it is.
fn below(stream: &mut impl RngCore, bound: u64) -> u64 {
    let Some(last) = bound.checked_sub(1) else {
        return stream.next_u64();
    };
    let mask = u64::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
    loop {
        let drawn = stream.next_u64() & mask;
        if drawn <= last {
            return drawn;
        }
    }
}

pub(super) fn integer(stream: &mut impl RngCore, low: i64, high: i64) -> Result<i64, String> {
    if low > high {
        return Err(format!("there is no number from {low} to {high}"));
    }
    // The width of all of them is 2⁶⁴, which is 0 here.
    let width = high.wrapping_sub(low).cast_unsigned().wrapping_add(1);
    Ok(low.wrapping_add(below(stream, width).cast_signed()))
}

pub(super) fn float(stream: &mut impl RngCore) -> f64 {
    (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

pub(super) fn bytes(stream: &mut impl RngCore, count: u32) -> Result<Vec<u8>, String> {
    if count > MAX_BYTES {
        return Err(format!("{count} bytes are more than {MAX_BYTES}"));
    }
    let mut bytes = vec![0; count as usize];
    stream.fill_bytes(&mut bytes);
    Ok(bytes)
}

pub(super) fn choose(stream: &mut impl RngCore, count: u32) -> Option<u32> {
    (count > 0).then(|| below(stream, count.into()) as u32)
}

pub(super) fn shuffle(stream: &mut impl RngCore, count: u32) -> Result<Vec<u32>, String> {
    if count > MAX_INDICES {
        return Err(format!("{count} indices are more than {MAX_INDICES}"));
    }
    let mut indices: Vec<u32> = (0..count).collect();
    for place in (1..indices.len()).rev() {
        let other = below(stream, place as u64 + 1) as usize;
        indices.swap(place, other);
    }
    Ok(indices)
}

pub(super) fn sample(
    stream: &mut impl RngCore,
    count: u32,
    amount: u32,
) -> Result<Vec<u32>, String> {
    if amount > MAX_INDICES {
        return Err(format!("{amount} indices are more than {MAX_INDICES}"));
    }
    if amount > count {
        return Err(format!(
            "there are no {amount} different indices below {count}"
        ));
    }
    let mut moved: HashMap<u32, u32> = HashMap::new();
    let mut sample = Vec::with_capacity(amount as usize);
    for place in 0..amount {
        let other = place + below(stream, u64::from(count - place)) as u32;
        let here = moved.get(&place).copied().unwrap_or(place);
        sample.push(moved.insert(other, here).unwrap_or(other));
    }
    Ok(sample)
}
