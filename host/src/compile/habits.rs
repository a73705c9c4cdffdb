//! Habits: what authors bring along from other languages, from crates and from WIT, and what takes its place in a hole.

/// Crates that snippets reach for, and what to do without them.
const CRATES: [(&str, &str); 27] = [
    ("anyhow", "errors are `Result<T, String>`, or an own enum"),
    ("base64", "write the coding by hand"),
    ("chrono", "dates are computed by hand from what is given"),
    ("csv", "split the lines, and their fields at `,`"),
    ("derive_more", "write the `impl`s by hand"),
    ("fastrand", "random numbers exist only if they are granted"),
    (
        "hex",
        "format with `{:02x}`, read with `u8::from_str_radix`",
    ),
    (
        "itertools",
        "use the methods of `Iterator`, `Vec` and the maps of `std::collections`",
    ),
    ("lazy_static", "use `std::sync::LazyLock`"),
    (
        "indexmap",
        "a `Vec` of pairs keeps its order, with a `HashMap` of positions beside it",
    ),
    ("log", "`println!` writes to the log"),
    ("logger", "`println!` writes to the log"),
    (
        "num",
        "the integers of std have `pow`, `checked_…`, `rem_euclid`, `isqrt`",
    ),
    ("once_cell", "use `std::sync::OnceLock` or `LazyLock`"),
    ("rand", "random numbers exist only if they are granted"),
    (
        "regex",
        "match by hand, with the methods of `str`: `find`, `split`, `strip_prefix`, `char_indices`",
    ),
    ("reqwest", "the network exists only if it is granted"),
    (
        "serde",
        "take the text apart and write it by hand; leave the derives out",
    ),
    ("serde_json", "take the text apart and write it by hand"),
    ("strum", "`match` on the cases, and list them in an array"),
    (
        "thiserror",
        "write an enum and `impl std::fmt::Display` for it",
    ),
    ("time", "dates are computed by hand from what is given"),
    ("tokio", "granted functions block and return"),
    ("toml", "take the text apart and write it by hand"),
    ("tracing", "`println!` writes to the log"),
    (
        "unicode_segmentation",
        "`.chars()` gives the characters of a text",
    ),
    ("uuid", "random numbers exist only if they are granted"),
];

/// Macros of other crates.
const MACROS: [(&str, &str); 8] = [
    ("anyhow", "make a value of the error type, `Err(…)`"),
    ("bail", "`return Err(…);`"),
    ("btreemap", "`BTreeMap::from([(key, value)])`"),
    ("ensure", "`if !… { return Err(…); }`"),
    ("eyre", "make a value of the error type, `Err(…)`"),
    ("hashmap", "`HashMap::from([(key, value)])`"),
    ("json", "put JSON together with `format!(\"{{…}}\")`"),
    (
        "lazy_static",
        "`static NAME: std::sync::LazyLock<T> = std::sync::LazyLock::new(|| …);`",
    ),
];

/// Methods of the crate `itertools` on iterators.
const ITERTOOLS: [(&str, &str); 17] = [
    ("collect_tuple", "take the items one by one with `.next()`"),
    ("collect_vec", "`.collect::<Vec<_>>()`"),
    (
        "counts",
        "a `HashMap` with `*map.entry(item).or_insert(0) += 1`",
    ),
    (
        "dedup",
        "`.collect::<Vec<_>>()`, then `.dedup()` on the `Vec`, which is `mut`",
    ),
    (
        "distinct",
        "collect into a `BTreeSet`, or `.sort()` a `Vec`, then `.dedup()` it",
    ),
    (
        "group_by",
        "a map with `map.entry(key).or_default().push(item)`",
    ),
    (
        "into_group_map",
        "a map with `map.entry(key).or_default().push(item)`",
    ),
    (
        "intersperse",
        "`.collect::<Vec<_>>().join(…)` for text, else a loop",
    ),
    (
        "into_group_map_by",
        "a map with `map.entry(key).or_default().push(item)`",
    ),
    ("join", "`.collect::<Vec<_>>().join(…)`"),
    ("minmax", "`.min()` and `.max()`"),
    (
        "sorted",
        "`.collect::<Vec<_>>()`, then `.sort()` or `.sort_by(…)` on the `Vec`, which is `mut`",
    ),
    (
        "sorted_by",
        "`.collect::<Vec<_>>()`, then `.sort_by(…)` on the `Vec`, which is `mut`",
    ),
    (
        "sorted_by_key",
        "`.collect::<Vec<_>>()`, then `.sort_by_key(…)` on the `Vec`, which is `mut`",
    ),
    (
        "sorted_unstable",
        "`.collect::<Vec<_>>()`, then `.sort_unstable()` on the `Vec`, which is `mut`",
    ),
    (
        "tuple_windows",
        "`.collect::<Vec<_>>()`, then `.windows(2)` of it",
    ),
    (
        "unique",
        "`.filter(|item| seen.insert(item.clone()))` with a `HashSet`",
    ),
];

/// Methods of lists and of other languages' iterators, on an iterator.
const ITERATORS: [(&str, &str); 20] = [
    ("contains", "`.any(|item| item == …)`"),
    ("first", "`.next()`"),
    ("get", "`.nth(index)`"),
    ("includes", "`.any(|item| item == …)`"),
    ("is_empty", "`.next().is_none()`"),
    ("iter", "it is one already: leave `.iter()` out"),
    ("join", "`.collect::<Vec<_>>().join(…)`"),
    ("length", "`.count()`"),
    ("len", "`.count()`"),
    (
        "push",
        "`.collect::<Vec<_>>()`, then `.push(…)` on the `Vec`",
    ),
    ("reverse", "`.rev()`"),
    ("reversed", "`.rev()`"),
    ("size", "`.count()`"),
    ("slice", "`.skip(from).take(count)`"),
    (
        "sort",
        "`.collect::<Vec<_>>()`, then `.sort()` on the `Vec`, which is `mut`",
    ),
    (
        "sort_by",
        "`.collect::<Vec<_>>()`, then `.sort_by(…)` on the `Vec`, which is `mut`",
    ),
    ("toList", "`.collect::<Vec<_>>()`"),
    ("to_list", "`.collect::<Vec<_>>()`"),
    (
        "to_string",
        "`.collect::<String>()` of characters and texts",
    ),
    ("to_vec", "`.collect::<Vec<_>>()`"),
];

/// Methods of the crate `anyhow` on `Result` and `Option`.
const ANYHOW: [(&str, &str); 2] = [
    (
        "context",
        "`.map_err(|error| format!(\"…: {error}\"))?` of a `Result`, `.ok_or(\"…\")?` of an `Option`",
    ),
    (
        "with_context",
        "`.map_err(|error| format!(\"…: {error}\"))?` of a `Result`, `.ok_or_else(|| …)?` of an `Option`",
    ),
];

/// Built-in packages that do what a crate does, where they are granted.
const GRANTED: [(&str, &str); 13] = [
    ("base64", "lacuna:text/"),
    ("chrono", "lacuna:clock/"),
    ("csv", "lacuna:text/"),
    ("fastrand", "lacuna:random/"),
    ("hex", "lacuna:text/"),
    ("md5", "lacuna:text/"),
    ("rand", "lacuna:random/"),
    ("regex", "lacuna:text/"),
    ("serde_json", "lacuna:text/"),
    ("sha2", "lacuna:text/"),
    ("time", "lacuna:clock/"),
    ("url", "lacuna:text/"),
    ("uuid", "lacuna:random/"),
];

/// Parts of std that are left out although they have no authority.
const LEFT_OUT: [(&str, &str); 11] = [
    ("Barrier", ONE_THREAD),
    ("Condvar", ONE_THREAD),
    ("JoinHandle", ONE_THREAD),
    ("catch_unwind", PANIC),
    ("channel", ONE_THREAD),
    ("exit", PANIC),
    ("mpsc", ONE_THREAD),
    ("resume_unwind", PANIC),
    ("set_hook", PANIC),
    (
        "simd",
        "write the loop: there are no vector instructions to name",
    ),
    ("take_hook", PANIC),
];

const ONE_THREAD: &str = "a hole has one thread: do the parts one after the other, what waits for its turn stands in a `VecDeque`";

const PANIC: &str = "a panic ends the call and cannot be caught: check first, and give failures back as `Result` or `Option`";

/// Types as WIT and other languages call them.
const TYPES: [(&str, &str); 21] = [
    ("Dict", "HashMap"),
    ("List", "Vec"),
    ("boolean", "bool"),
    ("dict", "HashMap"),
    ("double", "f64"),
    ("float", "f64"),
    ("float32", "f32"),
    ("float64", "f64"),
    ("int", "i64"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("list", "Vec"),
    ("long", "i64"),
    ("option", "Option"),
    ("s16", "i16"),
    ("s32", "i32"),
    ("s64", "i64"),
    ("s8", "i8"),
    ("string", "String"),
    ("uint", "u64"),
    ("result", "Result"),
];

/// Functions that other languages have everywhere.
const FUNCTIONS: [(&str, &str); 14] = [
    ("abs", "it is a method: `x.abs()`"),
    (
        "enumerate",
        "it is a method of iterators: `items.iter().enumerate()`",
    ),
    (
        "float",
        "`x as f64` for numbers, `text.parse::<f64>()` for text",
    ),
    (
        "int",
        "`x as i64` for numbers, `text.parse::<i64>()` for text",
    ),
    (
        "isinstance",
        "types are known when the code is compiled: `match` on an enum",
    ),
    ("len", "it is a method: `items.len()`"),
    ("map", "it is a method of iterators: `items.iter().map(…)`"),
    (
        "max",
        "`a.max(b)` of two values, `items.iter().max()` of many",
    ),
    (
        "min",
        "`a.min(b)` of two values, `items.iter().min()` of many",
    ),
    ("open", "files are reached only through granted functions"),
    ("range", "a range is written `0..n`"),
    ("sorted", "collect into a `Vec`, then `.sort()`"),
    ("str", "`x.to_string()`, or `format!(\"{x}\")`"),
    (
        "sum",
        "it is a method of iterators: `items.iter().sum::<u64>()`",
    ),
];

/// Methods of text and lists as other languages call them, where rustc knows no similar name.
const METHODS: [(&str, &str); 25] = [
    ("add", "`push(…)` for a list, `insert(…)` for a set"),
    (
        "append",
        "`push_str(…)` for text, `push(…)` for one item, `extend(…)` for many",
    ),
    (
        "charAt",
        "`.chars().nth(index)`, which is an `Option<char>`",
    ),
    (
        "charCodeAt",
        "`.chars().nth(index)` gives an `Option<char>`, and a `char` is a number by `as u32`",
    ),
    (
        "char_at",
        "`.chars().nth(index)`, which is an `Option<char>`",
    ),
    ("equals", "`==` compares texts and lists by what is in them"),
    ("every", "`.iter().all(|item| …)`"),
    ("filter", "call `.iter()` or `.into_iter()` first"),
    ("forEach", "`for item in &list { … }`"),
    ("for_each", "`for item in &list { … }`"),
    ("format", "`format!(…)` makes text"),
    ("has", "`contains(…)`, of a map `contains_key(…)`"),
    ("includes", "`.contains(…)`"),
    (
        "indexOf",
        "`.find(…)` in text, `.iter().position(…)` in a list",
    ),
    (
        "index_of",
        "`.find(…)` in text, `.iter().position(…)` in a list",
    ),
    ("items", "`.iter()` of a map gives its pairs"),
    ("length", "`.len()`, of characters `.chars().count()`"),
    ("reverse", "`.chars().rev().collect::<String>()`"),
    (
        "slice",
        "`&list[from..to]` of a list, `.chars().skip(from).take(count).collect::<String>()` of text",
    ),
    ("some", "`.iter().any(|item| …)`"),
    ("strip", "`.trim()`"),
    (
        "substr",
        "`.chars().skip(from).take(count).collect::<String>()`, or `.get(from..to)` by bytes",
    ),
    (
        "substring",
        "`.chars().skip(from).take(count).collect::<String>()`, or `.get(from..to)` by bytes",
    ),
    (
        "sum",
        "`.iter().sum::<u64>()`, with the type of its numbers",
    ),
    ("upper", "`.to_uppercase()`"),
];

/// Modules of `std` that are named without it.
const MODULES: [(&str, &str); 24] = [
    ("any", "std::any"),
    ("array", "std::array"),
    ("borrow", "std::borrow"),
    ("btree_map", "std::collections::btree_map"),
    ("cell", "std::cell"),
    ("cmp", "std::cmp"),
    ("collections", "std::collections"),
    ("convert", "std::convert"),
    ("error", "std::error"),
    ("fmt", "std::fmt"),
    ("hash", "std::hash"),
    ("hash_map", "std::collections::hash_map"),
    ("io", "std::io"),
    ("iter", "std::iter"),
    ("mem", "std::mem"),
    ("num", "std::num"),
    ("ops", "std::ops"),
    ("path", "std::path"),
    ("rc", "std::rc"),
    ("slice", "std::slice"),
    ("string", "std::string"),
    ("sync", "std::sync"),
    ("time", "std::time"),
    ("vec", "std::vec"),
];

/// What takes the place of a crate.
pub(super) fn instead_of_crate(name: &str) -> Option<&'static str> {
    find(&CRATES, name)
}

/// What takes the place of a macro of another crate.
pub(super) fn instead_of_macro(name: &str) -> Option<&'static str> {
    find(&MACROS, name)
}

/// What takes the place of a method of `itertools`.
pub(super) fn instead_of_itertools(method: &str) -> Option<&'static str> {
    find(&ITERTOOLS, method)
}

/// What takes the place of a list's method on an iterator.
pub(super) fn instead_on_iterator(method: &str) -> Option<&'static str> {
    find(&ITERATORS, method)
}

/// What takes the place of a part of std that is left out.
pub(super) fn instead_of_std(name: &str) -> Option<&'static str> {
    find(&LEFT_OUT, name)
}

/// What takes the place of a method of `anyhow`.
pub(super) fn instead_of_anyhow(method: &str) -> Option<&'static str> {
    find(&ANYHOW, method)
}

/// The start of the interfaces' ids that do what a crate does.
pub(super) fn granted_for(crate_name: &str) -> Option<&'static str> {
    find(&GRANTED, crate_name)
}

/// What Rust calls a type of WIT or of another language.
pub(super) fn rust_type(name: &str) -> Option<&'static str> {
    find(&TYPES, name)
}

/// How Rust does what a method of another language does.
pub(super) fn instead_of_method(name: &str) -> Option<&'static str> {
    find(&METHODS, name)
}

/// How Rust does what a function of another language does.
pub(super) fn instead_of_function(name: &str) -> Option<&'static str> {
    find(&FUNCTIONS, name)
}

/// The path of a module of `std`.
pub(super) fn std_module(name: &str) -> Option<&'static str> {
    find(&MODULES, name)
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, instead)| *instead)
}
