//! Where two types that should be the same differ.

use super::Type;

impl Type {
    /// What `found` has in place of `self`, with the place inside the type; `None` when values of one are values of the
    /// other. Names of records, variants, enums and flags are no part of a value; names of fields and cases are.
    pub fn difference(&self, found: &Self) -> Option<String> {
        let here = || {
            Some(format!(
                "{} instead of {}",
                found.described(),
                self.described()
            ))
        };
        match (self, found) {
            (Self::List(wanted), Self::List(found)) => {
                within("each item", wanted.difference(found))
            }
            (Self::Option(wanted), Self::Option(found)) => {
                within("the option's value", wanted.difference(found))
            }
            (
                Self::Result { ok, err },
                Self::Result {
                    ok: found_ok,
                    err: found_err,
                },
            ) => within("ok", payload(ok.as_deref(), found_ok.as_deref()))
                .or_else(|| within("err", payload(err.as_deref(), found_err.as_deref()))),
            (Self::Tuple(wanted), Self::Tuple(found)) if wanted.len() == found.len() => wanted
                .iter()
                .zip(found)
                .enumerate()
                .find_map(|(at, (wanted, found))| {
                    within(&format!("part {at}"), wanted.difference(found))
                }),
            (Self::Record { fields, .. }, Self::Record { fields: others, .. })
                if fields.len() == others.len() =>
            {
                fields
                    .iter()
                    .zip(others)
                    .find_map(|((name, wanted), (other, found))| {
                        if name == other {
                            within(&format!("field `{name}`"), wanted.difference(found))
                        } else {
                            Some(format!("field `{other}` instead of `{name}`"))
                        }
                    })
            }
            (Self::Variant { cases, .. }, Self::Variant { cases: others, .. })
                if cases.len() == others.len() =>
            {
                cases
                    .iter()
                    .zip(others)
                    .find_map(|((name, wanted), (other, found))| {
                        if name == other {
                            let inside = payload(wanted.as_ref(), found.as_ref());
                            within(&format!("case `{name}`"), inside)
                        } else {
                            Some(format!("case `{other}` instead of `{name}`"))
                        }
                    })
            }
            (Self::Enum { cases, .. }, Self::Enum { cases: others, .. }) if cases == others => None,
            (Self::Flags { names, .. }, Self::Flags { names: others, .. }) if names == others => {
                None
            }
            // The names are those of two different types.
            (Self::Own(_), Self::Own(_)) | (Self::Borrow(_), Self::Borrow(_)) => None,
            (wanted, found) if wanted == found => None,
            _ => here(),
        }
    }
}

fn payload(wanted: Option<&Type>, found: Option<&Type>) -> Option<String> {
    match (wanted, found) {
        (None, None) => None,
        (Some(wanted), Some(found)) => wanted.difference(found),
        (Some(wanted), None) => Some(format!("nothing instead of {}", wanted.described())),
        (None, Some(found)) => Some(format!("{} instead of nothing", found.described())),
    }
}

fn within(place: &str, difference: Option<String>) -> Option<String> {
    difference.map(|difference| format!("{place}: {difference}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, fields: &[(&str, Type)]) -> Type {
        Type::Record {
            name: name.to_owned(),
            fields: fields
                .iter()
                .map(|(field, ty)| ((*field).to_owned(), ty.clone()))
                .collect(),
        }
    }

    #[test]
    fn the_place_and_both_types_are_named() {
        let list = |ty| Type::List(Box::new(ty));
        let wanted = list(record("row", &[("id", Type::U32), ("name", Type::String)]));
        for (found, difference) in [
            (
                list(record(
                    "other",
                    &[("id", Type::U32), ("name", Type::String)],
                )),
                None,
            ),
            (
                list(record("row", &[("id", Type::U64), ("name", Type::String)])),
                Some("each item: field `id`: u64 instead of u32"),
            ),
            (
                list(record("row", &[("id", Type::U32), ("title", Type::String)])),
                Some("each item: field `title` instead of `name`"),
            ),
            (Type::String, Some("string instead of list<row>")),
        ] {
            assert_eq!(wanted.difference(&found).as_deref(), difference);
        }
    }
}
