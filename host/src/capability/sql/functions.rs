//! The functions that a statement may call. What is not here is refused, whatever a coming SQLite has more of.

/// How long a value may be in a statement that calls a function. SQLite looks for an interruption between its steps and not
/// inside a function, so a function whose work grows faster than its input gets shorter input: each of these is at most some
/// seconds of work, measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Input {
    /// Each character of one text is looked for among all of another.
    Short,
    /// One block of memory is compared at each place of another.
    Medium,
    /// A pattern of limited length is tried at each place, slowly.
    Long,
    /// The work grows with the input. `LIKE` is here, since its pattern has a limit of its own.
    Any,
}

impl Input {
    /// The longest value, bytes.
    pub(super) fn bytes(self, any: u64) -> u64 {
        match self {
            Self::Short => 16 << 10,
            Self::Medium => 256 << 10,
            Self::Long => any.min(1 << 20),
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
    let name = name.as_str();
    match name {
        "json_patch" | "jsonb_patch" => Some(Input::Short),
        _ if takes_list(name) => Some(Input::Short),
        "instr" | "replace" => Some(Input::Medium),
        "glob" => Some(Input::Long),
        _ => ANY.contains(&name).then_some(Input::Any),
    }
}

/// Whether the second argument of a function is a list of characters. With the first alone its work grows with the input.
pub(super) fn takes_list(name: &str) -> bool {
    LISTS.iter().any(|list| list.eq_ignore_ascii_case(name))
}

const LISTS: [&str; 4] = ["ltrim", "rtrim", "trim", "unhex"];

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
        assert_eq!(
            refused,
            [
                "bm25",
                "changes",
                "fts3_tokenizer",
                "fts5",
                "fts5_get_locale",
                "fts5_insttoken",
                "fts5_locale",
                "fts5_source_id",
                "highlight",
                "last_insert_rowid",
                "load_extension",
                "match",
                "matchinfo",
                "offsets",
                "optimize",
                "random",
                "randomblob",
                "rtreecheck",
                "rtreedepth",
                "rtreenode",
                "snippet",
                "sqlite_compileoption_get",
                "sqlite_compileoption_used",
                "sqlite_log",
                "sqlite_source_id",
                "sqlite_version",
                "total_changes",
            ]
        );
    }

    #[test]
    fn names_stand_once_and_in_order() {
        assert!(ANY.is_sorted());
        assert!(ANY.windows(2).all(|pair| pair[0] != pair[1]));
        for name in LISTS {
            assert!(!ANY.contains(&name), "{name}");
        }
        assert_eq!(allowed("TRIM"), Some(Input::Short));
        assert_eq!(allowed("load_extension"), None);
    }
}
