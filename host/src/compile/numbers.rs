//! Numbers: how one number type becomes another.

/// Integer types with their bits; those of a target's size count as the 32 bits that they have in WebAssembly.
const INTEGERS: [(&str, u8); 12] = [
    ("u8", 8),
    ("u16", 16),
    ("u32", 32),
    ("u64", 64),
    ("u128", 128),
    ("usize", 32),
    ("i8", 8),
    ("i16", 16),
    ("i32", 32),
    ("i64", 64),
    ("i128", 128),
    ("isize", 32),
];

pub(super) fn is_integer(ty: &str) -> bool {
    bits(ty).is_some()
}

pub(super) fn is_float(ty: &str) -> bool {
    matches!(ty, "f32" | "f64")
}

fn is_number(ty: &str) -> bool {
    is_integer(ty) || is_float(ty)
}

/// The two types of "cannot multiply `i64` by `f64`".
pub(super) fn mixed(message: &str) -> Option<(&str, &str)> {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let [one, other] = names.as_slice() else {
        return None;
    };
    // `&u32` is a number as well.
    let (one, other) = (one.trim_start_matches('&'), other.trim_start_matches('&'));
    (message.starts_with("cannot ") && one != other && is_number(one) && is_number(other))
        .then_some((one, other))
}

/// Advice for numbers of two types, and for a conversion that there is not.
pub(super) fn advice(message: &str) -> Option<String> {
    if let [one, other] = message
        .split('`')
        .skip(1)
        .step_by(2)
        .collect::<Vec<_>>()
        .as_slice()
    {
        let integer = match (*one, *other) {
            (integer, "{float}") | ("{float}", integer)
                if is_integer(integer.trim_start_matches('&')) =>
            {
                integer
            }
            _ => "",
        };
        if message.starts_with("cannot ") && !integer.is_empty() {
            return Some(format!(
                "numbers of two types do not mix: convert the `{integer}` with `as f64`"
            ));
        }
    }
    if let Some((one, other)) = mixed(message) {
        let how = if is_float(one) != is_float(other) {
            let (integer, float) = if is_float(one) {
                (other, one)
            } else {
                (one, other)
            };
            format!("convert the `{integer}` with `as {float}`")
        } else if fits(one, other) {
            format!("convert the `{one}` with `{other}::from(…)`")
        } else if fits(other, one) {
            format!("convert the `{other}` with `{one}::from(…)`")
        } else {
            "convert one of them, with `as` or `try_from`".to_owned()
        };
        return Some(format!("numbers of two types do not mix: {how}"));
    }
    let bound = message.split('`').nth(1)?;
    let (to, from) = bound.split_once(": From<")?;
    let from = from.strip_suffix('>')?;
    (is_number(to) && is_number(from)).then(|| {
        "the value may not fit: `try_into()` gives a `Result`, `as` cuts silently".to_owned()
    })
}

/// Whether there is a `From` that loses nothing, on every machine.
fn fits(from: &str, into: &str) -> bool {
    let sized = |ty: &str| ty.ends_with("size");
    if is_float(from) && is_float(into) {
        return from == "f32" && into == "f64";
    }
    let (Some(narrow), Some(wide)) = (bits(from), bits(into)) else {
        return false;
    };
    let signed = |ty: &str| ty.starts_with('i');
    !sized(from) && !sized(into) && narrow < wide && (signed(into) || !signed(from))
}

/// Whether each value of a number type is one of another type too. A `usize` has 32 bits.
pub(super) fn is_kept(from: &str, into: &str) -> bool {
    let signed = |ty: &str| ty.starts_with('i');
    match (bits(from), bits(into)) {
        (Some(_), Some(_)) if from == into => false,
        (Some(narrow), Some(wide)) if signed(from) == signed(into) => narrow <= wide,
        (Some(narrow), Some(wide)) => !signed(from) && narrow < wide,
        (Some(narrow), None) => narrow <= 32 && into == "f64" || narrow <= 16 && into == "f32",
        _ => (from, into) == ("f32", "f64"),
    }
}

fn bits(ty: &str) -> Option<u8> {
    (INTEGERS.iter())
        .find(|(name, _)| *name == ty)
        .map(|(_, bits)| *bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_keeps_every_value_or_not() {
        for (from, into) in [
            ("usize", "u32"),
            ("u32", "usize"),
            ("usize", "u64"),
            ("u32", "i64"),
            ("i32", "i64"),
            ("u32", "f64"),
            ("usize", "f64"),
            ("u16", "f32"),
            ("f32", "f64"),
        ] {
            assert!(is_kept(from, into), "{from} → {into}");
        }
        for (from, into) in [
            ("u64", "usize"),
            ("u64", "u32"),
            ("usize", "i32"),
            ("i32", "u32"),
            ("i64", "f64"),
            ("u32", "f32"),
            ("f64", "f32"),
            ("u8", "u8"),
            ("String", "u32"),
        ] {
            assert!(!is_kept(from, into), "{from} → {into}");
        }
    }
}
