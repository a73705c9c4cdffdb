//! How serde hands out the parts of an array or an object without reading what is in them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Part;
use crate::capability::compute::Answer;

/// Whether a walk goes on; else why it ends stands in `end`.
pub(super) fn goes_on(answer: Answer<bool>, end: &mut Option<Answer<()>>) -> bool {
    match answer {
        Ok(true) => return true,
        Ok(false) => *end = Some(Ok(())),
        Err(refusal) => *end = Some(Err(refusal)),
    }
    false
}

/// What serde is told when a walk ends early; nobody reads it.
const ENOUGH: &str = "enough";

/// Gives each element to a closure.
pub(super) struct Elements<F>(pub(super) F);

impl<'a, F: FnMut(Part<'a>) -> bool> Visitor<'a> for Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            if !(self.0)(element) {
                return Err(A::Error::custom(ENOUGH));
            }
        }
        Ok(())
    }
}

/// Gives each member to a closure.
pub(super) struct Members<F>(pub(super) F);

impl<'a, F: FnMut(Cow<'a, str>, Part<'a>) -> bool> Visitor<'a> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some((name, value)) = members.next_entry::<Text<'a>, Part<'a>>()? {
            if !(self.0)(name.0, value) {
                return Err(A::Error::custom(ENOUGH));
            }
        }
        Ok(())
    }
}

/// A string, borrowed where it has no escapes.
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'a> Deserialize<'a> for Text<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'a> Visitor<'a> for Borrowing {
            type Value = Text<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowing)
    }
}
