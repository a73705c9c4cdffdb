//! Labels of values: what must not get out, and what is not to be obeyed (CONTRACTS section 9).
//!
//! They are kept for a whole instance and never for a single value: what happens inside a guest's memory is not
//! followed, so everything that comes out of an instance carries all that went in.

use std::fmt;

use serde::{Serialize, Serializer};

/// A set of labels. Sets only grow while an instance runs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Labels(u8);

/// Names of the labels, in the order in which they are written.
pub const LABELS: &[&str] = &["private", "untrusted"];

impl Labels {
    /// No label.
    pub const NONE: Self = Self(0);
    /// It must not get out.
    pub const PRIVATE: Self = Self(1);
    /// It is not to be obeyed.
    pub const UNTRUSTED: Self = Self(2);
    /// Every label: what a tool has that says nothing.
    pub const ALL: Self = Self(3);

    /// The label of this name.
    pub fn named(name: &str) -> Option<Self> {
        let at = LABELS.iter().position(|label| *label == name)?;
        Some(Self(1 << at))
    }

    /// Both sets together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What stands in this set and not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether every label of the other is here.
    pub fn covers(self, other: Self) -> bool {
        other.without(self).is_empty()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names, in a fixed order.
    pub fn names(self) -> Vec<&'static str> {
        LABELS
            .iter()
            .enumerate()
            .filter(|(at, _)| self.0 & (1 << at) != 0)
            .map(|(_, name)| *name)
            .collect()
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(", "))
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn sets_grow_and_are_compared() {
        let private = Labels::named("private").unwrap();
        assert_eq!(private, Labels::PRIVATE);
        assert_eq!(Labels::named("secret"), None);
        let both = private.with(Labels::UNTRUSTED);
        assert_eq!(both, Labels::ALL);
        assert!(both.covers(private) && !private.covers(both));
        assert!(private.covers(Labels::NONE) && Labels::NONE.is_empty());
        assert_eq!(both.without(private), Labels::UNTRUSTED);
        assert_eq!(both.names(), ["private", "untrusted"]);
        assert_eq!(serde_json::json!(private), serde_json::json!(["private"]));
    }
}
