//! The functions that a statement may call. What is not here is refused, whatever a coming SQLite has more of.

/// How long a value may be in a statement that calls a function, bytes. SQLite looks for an interruption between its steps and
/// not inside a function, so a function whose work grows faster than its input gets shorter input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Input {
    /// Work in the square of the input with a high factor: two values of 32 KiB are some seconds.
    Short,
    /// Work in the square of the input, by comparisons of whole blocks of memory: half a MiB is some seconds.
    Medium,
    /// Work that grows with the input.
    Any,
}

impl Input {
    /// The longest value.
    pub(super) fn bytes(self, any: u64) -> u64 {
        match self {
            Self::Short => 32 << 10,
            Self::Medium => 512 << 10,
            Self::Any => any,
        }
    }
}

/// What the input of a function may be; `None` if it may not be called.
///
/// Those that may give what follows from their arguments alone. The functions of time are among them, though `'now'` is
/// the machine's time for them: dates that are kept as text could not be read without. `random` and what tells of the connection,
/// of SQLite or of the file are not.
pub(super) fn allowed(name: &str) -> Option<Input> {
    let name = name.to_ascii_lowercase();
    if SHORT.contains(&name.as_str()) {
        Some(Input::Short)
    } else if MEDIUM.contains(&name.as_str()) {
        Some(Input::Medium)
    } else {
        ANY.contains(&name.as_str()).then_some(Input::Any)
    }
}

/// A list of characters is searched for each character; a list of members for each member.
const SHORT: [&str; 6] = [
    "json_patch",
    "jsonb_patch",
    "ltrim",
    "rtrim",
    "trim",
    "unhex",
];

/// A text is compared at each place of another. `LIKE` and `GLOB` are not here: their pattern has a length of its own.
const MEDIUM: [&str; 2] = ["instr", "replace"];

const ANY: &[&str] = &[
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "if",
    "ifnull",
    "iif",
    "json",
    "json_array",
    "json_array_insert",
    "json_array_length",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_pretty",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_type",
    "json_valid",
    "jsonb",
    "jsonb_array",
    "jsonb_array_insert",
    "jsonb_extract",
    "jsonb_group_array",
    "jsonb_group_object",
    "jsonb_insert",
    "jsonb_object",
    "jsonb_remove",
    "jsonb_replace",
    "jsonb_set",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "rank",
    "round",
    "row_number",
    "sign",
    "sin",
    "sinh",
    "soundex",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "subtype",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "trunc",
    "typeof",
    "unicode",
    "unistr",
    "unistr_quote",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function that SQLite has and that is refused, by name: a new version that has more fails here.
    #[test]
    fn what_is_refused_is_known() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut statement = connection
            .prepare("SELECT DISTINCT name FROM pragma_function_list ORDER BY name")
            .unwrap();
        let names: Vec<String> = statement
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert!(names.len() > 100, "{names:?}");
        let refused: Vec<&str> = names
            .iter()
            .map(String::as_str)
            .filter(|name| allowed(name).is_none())
            .collect();
        assert_eq!(refused, [""; 0]);
    }

    #[test]
    fn names_stand_once_and_in_order() {
        assert!(ANY.is_sorted());
        assert!(ANY.windows(2).all(|pair| pair[0] != pair[1]));
        for name in SHORT.iter().chain(&MEDIUM) {
            assert!(!ANY.contains(name), "{name}");
        }
        assert_eq!(allowed("TRIM"), Some(Input::Short));
        assert_eq!(allowed("load_extension"), None);
    }
}
