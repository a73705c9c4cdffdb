//! What every module of a snippet has in scope, macros included.

/// The names of all editions, and the macros.
pub mod v1 {
    pub use ::std::prelude::v1::{
        AsMut, AsRef, AsyncFn, AsyncFnMut, AsyncFnOnce, Box, Clone, Copy, Debug, Default,
        DoubleEndedIterator, Drop, Eq, Err, ExactSizeIterator, Extend, Fn, FnMut, FnOnce, From,
        Hash, Into, IntoIterator, Iterator, None, Ok, Option, Ord, PartialEq, PartialOrd, Result,
        Send, Sized, Some, String, Sync, ToOwned, ToString, Unpin, Vec, align_of, align_of_val,
        derive, drop, size_of, size_of_val, test,
    };

    // More than the real one has, because these are what a first attempt forgets to import. A name of the snippet or of
    // its scope hides them, like every name of a prelude. No trait whose methods are often called beside those of another
    // one: with `Display` in scope `self.0.fmt(f)` would be ambiguous in an `impl Debug`.
    pub use ::std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
    pub use ::std::fmt::Write as _;
    pub use ::std::str::FromStr;

    pub use crate::macros_only::{panic, vec};
    pub use crate::sort::VecSort as _;
    pub use crate::{
        assert, assert_eq, assert_ne, cfg, cfg_select, column, compile_error, concat, dbg,
        debug_assert, debug_assert_eq, debug_assert_ne, eprint, eprintln, file, format,
        format_args, line, matches, module_path, print, println, stringify, thread_local, todo,
        unimplemented, unreachable, write, writeln,
    };
}

/// The prelude of the 2015 edition.
pub mod rust_2015 {
    pub use super::v1::*;
}

/// The prelude of the 2018 edition.
pub mod rust_2018 {
    pub use super::v1::*;
}

/// The prelude of the 2021 edition.
pub mod rust_2021 {
    pub use super::v1::*;
    pub use ::std::prelude::rust_2021::{FromIterator, TryFrom, TryInto};
}

/// The prelude of the 2024 edition, which snippets are written in.
pub mod rust_2024 {
    pub use super::rust_2021::*;
    pub use ::std::prelude::rust_2024::{Future, IntoFuture};
}
