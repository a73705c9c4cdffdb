#[allow(unused_imports)]
use core::fmt::Debug;
use std::{
    borrow::Cow,
    cell::RefCell,
    cmp::{Ordering, Reverse, max, min},
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque, hash_map::Entry},
    convert::{TryFrom, TryInto},
    fmt::{self, Display, Write},
    iter::{self, FromIterator},
    mem,
    ops::{Add, Range, RangeInclusive},
    rc::Rc,
    str::{Chars, FromStr},
    string::ToString,
    time::Duration,
    vec,
};
pub fn run(text: String) -> String {
    max(text, min("a".to_string(), "b".to_string()))
}
