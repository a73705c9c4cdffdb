//! WIT `flags` as a Rust type, with the names that the crate `bitflags` (version 2) has made usual.

/// What the generator writes for `flags`: `bitflags! { #[derive(…)] pub struct Name: u8 { const R = 1 << 0; } }`.
///
/// Attributes are dropped: the derives are always the same, and the docs reach the model in the prompt.
#[macro_export]
macro_rules! __lacuna_bitflags {
    (
        $(#[$($ignored:tt)*])*
        $vis:vis struct $name:ident: $repr:ty {
            $(
                $(#[$($ignored_too:tt)*])*
                const $flag:ident = $value:expr;
            )*
        }
    ) => {
        #[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Clone, Copy, Default)]
        $vis struct $name($repr);

        #[allow(dead_code, clippy::identity_op)]
        impl $name {
            $( pub const $flag: Self = Self($value); )*

            const NAMED: &'static [(&'static str, Self)] = &[$( (::core::stringify!($flag), Self::$flag) ),*];

            /// No flag.
            pub const fn empty() -> Self {
                Self(0)
            }

            /// Every flag that has a name.
            pub const fn all() -> Self {
                Self(0 $( | Self::$flag.0 )*)
            }

            /// The flags as a number, the first flag is bit 0.
            pub const fn bits(&self) -> $repr {
                self.0
            }

            /// `None` when a bit has no name.
            pub const fn from_bits(bits: $repr) -> ::core::option::Option<Self> {
                if bits & !Self::all().0 == 0 {
                    ::core::option::Option::Some(Self(bits))
                } else {
                    ::core::option::Option::None
                }
            }

            /// Bits without a name are dropped.
            pub const fn from_bits_truncate(bits: $repr) -> Self {
                Self(bits & Self::all().0)
            }

            /// Bits without a name are kept.
            pub const fn from_bits_retain(bits: $repr) -> Self {
                Self(bits)
            }

            /// The flag of this name.
            pub fn from_name(name: &str) -> ::core::option::Option<Self> {
                Self::NAMED.iter().find(|(named, _)| *named == name).map(|(_, flag)| *flag)
            }

            /// Whether no flag is set.
            pub const fn is_empty(&self) -> bool {
                self.0 == 0
            }

            /// Whether every flag is set.
            pub const fn is_all(&self) -> bool {
                self.0 | Self::all().0 == self.0
            }

            /// Whether all flags of `other` are set.
            pub const fn contains(&self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether a flag of `other` is set.
            pub const fn intersects(&self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Sets the flags of `other`.
            pub fn insert(&mut self, other: Self) {
                self.0 |= other.0;
            }

            /// Clears the flags of `other`.
            pub fn remove(&mut self, other: Self) {
                self.0 &= !other.0;
            }

            /// Turns the flags of `other` over.
            pub fn toggle(&mut self, other: Self) {
                self.0 ^= other.0;
            }

            /// Sets or clears the flags of `other`.
            pub fn set(&mut self, other: Self, value: bool) {
                if value { self.insert(other) } else { self.remove(other) }
            }

            /// `self & other`
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// `self | other`
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// `self` without the flags of `other`.
            pub const fn difference(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// `self ^ other`
            pub const fn symmetric_difference(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            /// Every named flag that is not set.
            pub const fn complement(self) -> Self {
                Self(!self.0 & Self::all().0)
            }

            /// The flags that are set, one by one.
            pub fn iter(&self) -> impl ::core::iter::Iterator<Item = Self> + use<> {
                let set = *self;
                Self::NAMED.iter().map(|(_, flag)| *flag).filter(move |flag| set.contains(*flag))
            }

            /// The flags that are set, with their names.
            pub fn iter_names(&self) -> impl ::core::iter::Iterator<Item = (&'static str, Self)> + use<> {
                let set = *self;
                Self::NAMED.iter().copied().filter(move |(_, flag)| set.contains(*flag))
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(::core::stringify!($name))?;
                f.write_str("(")?;
                let mut separator = "";
                for (name, _) in self.iter_names() {
                    f.write_str(separator)?;
                    f.write_str(name)?;
                    separator = " | ";
                }
                if self.is_empty() {
                    f.write_str("0x0")?;
                }
                f.write_str(")")
            }
        }

        impl ::core::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self { self.union(other) }
        }
        impl ::core::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) { self.insert(other) }
        }
        impl ::core::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, other: Self) -> Self { self.intersection(other) }
        }
        impl ::core::ops::BitAndAssign for $name {
            fn bitand_assign(&mut self, other: Self) { self.0 &= other.0 }
        }
        impl ::core::ops::BitXor for $name {
            type Output = Self;
            fn bitxor(self, other: Self) -> Self { self.symmetric_difference(other) }
        }
        impl ::core::ops::BitXorAssign for $name {
            fn bitxor_assign(&mut self, other: Self) { self.toggle(other) }
        }
        impl ::core::ops::Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self { self.difference(other) }
        }
        impl ::core::ops::SubAssign for $name {
            fn sub_assign(&mut self, other: Self) { self.remove(other) }
        }
        impl ::core::ops::Not for $name {
            type Output = Self;
            fn not(self) -> Self { self.complement() }
        }
        impl ::core::iter::Extend<Self> for $name {
            fn extend<I: ::core::iter::IntoIterator<Item = Self>>(&mut self, flags: I) {
                for flag in flags { self.insert(flag) }
            }
        }
        impl ::core::iter::FromIterator<Self> for $name {
            fn from_iter<I: ::core::iter::IntoIterator<Item = Self>>(flags: I) -> Self {
                let mut set = Self::empty();
                set.extend(flags);
                set
            }
        }
        impl ::core::iter::IntoIterator for $name {
            type Item = Self;
            type IntoIter = ::std::vec::IntoIter<Self>;
            fn into_iter(self) -> Self::IntoIter {
                self.iter().collect::<::std::vec::Vec<_>>().into_iter()
            }
        }
    };
}
