//! Every key of the manifest: its table, type, default, meaning, and the provider it belongs to. The reader takes the
//! names that it knows from here; the JSON schema and the reference are made from here.

use crate::labels::LABELS;

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct ManifestKey {
    /// The table it stands in.
    pub table: Table,
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// Its default as it would be written; `None` when it has none.
    pub default: Option<&'static str>,
    /// What it does, a sentence without its full stop.
    pub meaning: &'static str,
    /// The only providers that have it; empty when it is not one provider's.
    pub providers: &'static [&'static str],
    /// Whether it must be there, in a table of its providers if it has some.
    pub required: bool,
}

/// A table of the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The top.
    Top,
    /// `[models.NAME]`.
    Model,
    /// `[models.NAME.price]`.
    Price,
    /// `[budget]`.
    Budget,
    /// `[limits]` and `[hole.H.limits]`.
    Limits,
    /// `[hole.H]`.
    Hole,
    /// `[hole.H.grant.KEY]`.
    Grant,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `1`, nothing else.
    One,
    /// A text.
    Text,
    /// A list of texts, not empty, none of them twice.
    SomeTexts,
    /// A list of some of these texts, none of them twice.
    Of(&'static [&'static str]),
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number, 0 or more; `50e9` counts.
    Count,
    /// The same, but not 0.
    Positive,
    /// A whole number in 32 bits, 0 or more.
    SmallCount,
    /// A number, 0 or more.
    Amount,
    /// The same, or a text that names the currency: `"1.25 USD"`.
    Usd,
    /// A size such as `"64MiB"`, or 0.
    Size,
    /// A time such as `"30s"`, or 0.
    Time,
    /// A table with keys of its own.
    Inner(Table),
    /// A table of such tables, under names that the author chooses.
    Named(Table),
    /// A table of texts, under names that the author chooses.
    NamedTexts,
    /// `true` or `false`.
    Flag,
    /// A list of texts, which may be empty and may have one twice.
    Texts,
    /// `true`, `false`, or a list of texts.
    FlagOrTexts,
    /// A table of counts, under names that the author chooses.
    NamedCounts,
    /// A table of lists of labels, under names that the author chooses.
    NamedLabels,
    /// Rules on arguments: `{ FUNCTION = { PARAMETER = { one-of = […], … } } }`.
    Rules,
    /// Headers that the host puts in: `{ NAME = { env = "VARIABLE" } }`.
    Headers,
}

impl Table {
    /// All of them, in the order of the reference.
    pub const ALL: [Self; 7] = [
        Self::Top,
        Self::Model,
        Self::Price,
        Self::Budget,
        Self::Limits,
        Self::Hole,
        Self::Grant,
    ];

    /// How it is written.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Top => "the top",
            Self::Model => "[models.NAME]",
            Self::Price => "[models.NAME.price]",
            Self::Budget => "[budget]",
            Self::Limits => "[limits], [hole.H.limits]",
            Self::Hole => "[hole.H]",
            Self::Grant => "[hole.H.grant.KEY]",
        }
    }

    /// Its keys.
    pub fn keys(self) -> impl Iterator<Item = &'static ManifestKey> {
        KEYS.iter().filter(move |key| key.table == self)
    }

    /// The names of its keys.
    pub(super) fn names(self) -> Vec<&'static str> {
        self.keys().map(|key| key.name).collect()
    }
}

/// The providers of `[models.NAME]`.
pub const MODEL_PROVIDERS: &[&str] = &[
    "openai",
    "anthropic",
    "gemini",
    "ollama",
    "command",
    "human",
    "replay",
];

/// Those that are asked over HTTP.
pub const HTTP_PROVIDERS: &[&str] = &["openai", "anthropic", "gemini", "ollama"];

/// The providers of `[hole.H.grant.KEY]`; without one the import is a built-in interface.
pub const GRANT_PROVIDERS: &[&str] = &["json-http", "command", "component", "wasi", "stub", "host"];

/// Tests that a rule on an argument can have, with what each means.
pub const RULES: &[(&str, &str)] = &[
    ("one-of", "the values that it may be"),
    ("prefix", "what its text must start with"),
    (
        "matches",
        "a regular expression that the whole of its text must match",
    ),
    ("min", "the least number that it may be"),
    ("max", "the largest number that it may be"),
    (
        "max-len",
        "the most characters of a text, bytes or elements of a list",
    ),
    (
        "from",
        "`\"parameter:NAME\"`: it must be that argument of the hole itself, or one of its elements",
    ),
    ("none", "`true`: an absent option passes too"),
];

/// What `retry-on` may name.
pub(super) const OUTCOMES: &[&str] = &["rejected", "contract"];

/// Whether a name of [`ManifestKey::providers`] is a package of built-in interfaces: their grants have no `provider`.
pub fn is_built_in(provider: &str) -> bool {
    provider.starts_with("lacuna:")
}

/// All keys, table by table.
pub const KEYS: &[ManifestKey] = &[
    key(Table::Top, "schema", Kind::One, "version of this form; `schema = 1`").required(),
    key(
        Table::Top,
        "entry",
        Kind::Text,
        "the hole that `run` starts with, when there are several",
    ),
    key(Table::Top, "models", Kind::Named(Table::Model), "the models; `default` serves every hole that names no other"),
    key(Table::Top, "budget", Kind::Inner(Table::Budget), "what a session may use"),
    key(Table::Top, "limits", Kind::Inner(Table::Limits), "limits of all holes"),
    key(Table::Top, "hole", Kind::Named(Table::Hole), "settings of single holes, by the names of their worlds"),
    key(Table::Model, "provider", Kind::Choice(MODEL_PROVIDERS), "who is asked").required(),
    key(Table::Model, "model", Kind::Text, "name of the model, as the provider knows it")
        .of(HTTP_PROVIDERS)
        .required(),
    key(Table::Model, "command", Kind::Text, "program and arguments, split as a shell does; the prompt comes on stdin, the answer on stdout")
        .of(&["command"])
        .required(),
    key(Table::Model, "dir", Kind::Text, "folder of the recorded answers, relative to lacuna.toml")
        .of(&["replay"])
        .required(),
    key(Table::Model, "base-url", Kind::Text, "address of another server of this form; the key is not sent there")
        .of(HTTP_PROVIDERS),
    key(Table::Model, "max-output-tokens", Kind::Positive, "longest answer that is asked for").or("8000"),
    key(Table::Model, "temperature", Kind::Amount, "how much chance there is in an answer; absent, the provider's own")
        .of(HTTP_PROVIDERS),
    key(Table::Model, "timeout", Kind::Time, "of a whole request, retries included; 1h for `human`, `0` for none but the session's").or("\"120s\""),
    key(Table::Model, "clearance", Kind::Of(LABELS), "labels of the values that it may be shown").or("[]"),
    key(Table::Model, "price", Kind::Inner(Table::Price), "what it costs; without it `usd` is not counted"),
    key(Table::Price, "input", Kind::Usd, "USD per million tokens of the prompt").required(),
    key(Table::Price, "output", Kind::Usd, "USD per million tokens of the answer").required(),
    key(Table::Budget, "attempts", Kind::SmallCount, "of each hole").or("3"),
    key(Table::Budget, "model-calls", Kind::SmallCount, "requests to models").or("100"),
    key(Table::Budget, "tokens", Kind::Count, "in and out").or("200000"),
    key(Table::Budget, "usd", Kind::Amount, "cost; needs the model's `price`").or("1.00"),
    key(Table::Budget, "wall", Kind::Time, "time of the whole session").or("\"10m\""),
    key(Table::Budget, "depth", Kind::SmallCount, "how deep holes may open holes").or("8"),
    key(Table::Budget, "holes", Kind::SmallCount, "holes that are filled").or("64"),
    key(Table::Budget, "parallel", Kind::SmallCount, "holes at once").or("4"),
    key(Table::Limits, "answer", Kind::Size, "the model's whole answer").or("\"1MiB\""),
    key(Table::Limits, "snippet", Kind::Size, "the code in it").or("\"64KiB\""),
    key(Table::Limits, "nesting", Kind::Count, "depth of anything that nests in the code; at most 512").or("128"),
    key(Table::Limits, "rustc-cpu", Kind::Time, "CPU time of the compiler").or("\"10s\""),
    key(Table::Limits, "rustc-wall", Kind::Time, "wall time of the compiler").or("\"20s\""),
    key(Table::Limits, "rustc-memory", Kind::Size, "memory of the compiler, beyond what it maps at its start").or("\"1GiB\""),
    key(Table::Limits, "rustc-files", Kind::Size, "largest file that the compiler writes").or("\"64MiB\""),
    key(Table::Limits, "module", Kind::Size, "the compiled module").or("\"4MiB\""),
    key(Table::Limits, "function", Kind::Size, "its largest function").or("\"512KiB\""),
    key(Table::Limits, "fuel", Kind::Count, "steps of a call, in wasmtime's units").or("50e9"),
    key(Table::Limits, "wall", Kind::Time, "of a call, host calls included").or("\"60s\""),
    key(Table::Limits, "memory", Kind::Size, "all memories of a call added up").or("\"64MiB\""),
    key(Table::Limits, "tables", Kind::Count, "table elements added up").or("100000"),
    key(Table::Limits, "stack", Kind::Size, "of wasm code").or("\"512KiB\""),
    key(Table::Limits, "host-calls", Kind::Count, "calls of granted functions, the console's included").or("10000"),
    key(Table::Limits, "host-call-wall", Kind::Time, "of one call of a granted function").or("\"30s\""),
    key(Table::Limits, "crossing", Kind::Size, "arguments and result of one call of a granted function, as the host holds them").or("\"8MiB\""),
    key(Table::Limits, "result", Kind::Size, "what the hole returns").or("\"1MiB\""),
    key(Table::Limits, "log", Kind::Size, "what it prints").or("\"64KiB\""),
    key(Table::Limits, "handles", Kind::Count, "resource handles open at once").or("1000"),
    key(Table::Limits, "staged", Kind::Size, "bytes that a call writes").or("\"256MiB\""),
    key(Table::Limits, "staged-keys", Kind::Count, "paths that a call changes").or("10000"),
    key(Table::Limits, "entries", Kind::Count, "entries of one listing of a folder").or("10000"),
    key(Table::Limits, "model-answer", Kind::Size, "an answer as it arrives").or("\"1MiB\""),
    key(Table::Limits, "model-silence", Kind::Time, "longest time without a byte of it; not for `command`").or("\"60s\""),
    key(Table::Limits, "model-retries", Kind::SmallCount, "of a request that failed for a passing reason").or("4"),
    key(Table::Hole, "model", Kind::Text, "name of the model that fills it").or("\"default\""),
    key(Table::Hole, "args", Kind::NamedTexts, "arguments by parameter, each a text in WAVE or `\"@file\"`"),
    key(Table::Hole, "limits", Kind::Inner(Table::Limits), "limits of this hole, over those of all"),
    key(Table::Hole, "retry-on", Kind::Of(OUTCOMES), "what makes another attempt").or("[\"rejected\", \"contract\"]"),
    key(Table::Hole, "grant", Kind::Named(Table::Grant), "what it may call, by the import's label, the interface's last name or its id in quotes, or the function's name"),
    key(Table::Grant, "provider", Kind::Choice(GRANT_PROVIDERS), "who serves a tool of the plan; absent for `lacuna:` interfaces"),
    key(Table::Grant, "functions", Kind::SomeTexts, "fewer than the interface has; a resource's are `\"dir.open\"`, `\"dir.constructor\"`"),
    key(Table::Grant, "path", Kind::Text, "the folder, relative to lacuna.toml").of(&["lacuna:fs"]).required(),
    key(Table::Grant, "max-file", Kind::Size, "largest file that is read or written whole").of(&["lacuna:fs"]).or("\"16MiB\""),
    key(Table::Grant, "answers", Kind::Text, "JSON file with the result of each function").of(&["stub"]).required(),
    key(Table::Grant, "fixed", Kind::Text, "the time that it always is, in RFC 3339 such as `\"2026-01-02T03:04:05Z\"`")
        .of(&["lacuna:clock"]),
    key(Table::Grant, "seed", Kind::Count, "makes the numbers the same in every run").of(&["lacuna:random"]),
    key(Table::Grant, "where", Kind::Rules, "rules on arguments, by function and parameter; a call that breaks one ends the hole before it is made"),
    key(Table::Grant, "calls", Kind::NamedCounts, "most calls of a function in one call of the hole"),
    key(Table::Grant, "irreversible", Kind::FlagOrTexts, "functions whose effects can't be undone; of `lacuna:http` every method but GET is, `command` is, others are not"),
    key(Table::Grant, "labels", Kind::NamedLabels, "what the results of a function are; `lacuna:` interfaces bring theirs, a tool that says nothing has all"),
    key(Table::Grant, "sends", Kind::Texts, "functions that carry their arguments out; `lacuna:http` does, a tool that says nothing does"),
    key(Table::Grant, "clearance", Kind::Of(LABELS), "labels of what may be sent through this grant").or("[]"),
    key(Table::Grant, "file", Kind::Text, "the database, or the component; relative to lacuna.toml")
        .of(&["lacuna:kv", "lacuna:sql", "component"])
        .required(),
    key(Table::Grant, "prefix", Kind::Text, "what the keys start with that the hole sees, without it").of(&["lacuna:kv"]).or("\"\""),
    key(Table::Grant, "max-keys", Kind::Count, "keys under the prefix").of(&["lacuna:kv"]).or("10000"),
    key(Table::Grant, "max-bytes", Kind::Size, "keys and values under the prefix").of(&["lacuna:kv"]).or("\"64MiB\""),
    key(Table::Grant, "tables", Kind::SomeTexts, "the tables that may be touched").of(&["lacuna:sql"]).required(),
    key(Table::Grant, "write", Kind::Flag, "whether they, or the folder, may be changed").of(&["lacuna:sql", "wasi"]).or("false"),
    key(Table::Grant, "max-rows", Kind::Count, "rows of one answer").of(&["lacuna:sql"]).or("10000"),
    key(Table::Grant, "origins", Kind::SomeTexts, "where requests may go: scheme, host and port, such as `\"https://api.example.com\"`")
        .of(&["lacuna:http"])
        .required(),
    key(Table::Grant, "methods", Kind::SomeTexts, "the methods that may be used").of(&["lacuna:http"]).or("[\"GET\"]"),
    key(Table::Grant, "paths", Kind::SomeTexts, "what the path must start with, whole segments; absent, any").of(&["lacuna:http"]),
    key(Table::Grant, "redirects", Kind::Count, "how many are followed, each checked as a request of its own").of(&["lacuna:http"]).or("0"),
    key(Table::Grant, "private-addresses", Kind::Texts, "addresses and networks that may be dialled although they are not public, such as `\"127.0.0.1\"`, `\"10.1.0.0/16\"`")
        .of(&["lacuna:http"])
        .or("[]"),
    key(Table::Grant, "max-body", Kind::Size, "largest body of an answer, unpacked").of(&["lacuna:http"]).or("\"4MiB\""),
    key(Table::Grant, "header", Kind::Headers, "a header with a secret that the host puts in, for a single origin").of(&["lacuna:http"]),
    key(Table::Grant, "url", Kind::Text, "address of the tool's server").of(&["json-http"]).required(),
    key(Table::Grant, "argv", Kind::Texts, "the program and its arguments; a path with `/` is relative to lacuna.toml").of(&["command"]).required(),
    key(Table::Grant, "keep-alive", Kind::Flag, "one process for the session instead of one for each call").of(&["command"]).or("false"),
    key(Table::Grant, "grant", Kind::Named(Table::Grant), "what the component itself may call").of(&["component"]),
    key(Table::Grant, "preopen", Kind::Text, "the folder that it sees as `/`, relative to lacuna.toml").of(&["wasi"]),
];

const fn key(table: Table, name: &'static str, kind: Kind, meaning: &'static str) -> ManifestKey {
    ManifestKey {
        table,
        name,
        kind,
        default: None,
        meaning,
        providers: &[],
        required: false,
    }
}

impl ManifestKey {
    const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    const fn of(mut self, providers: &'static [&'static str]) -> Self {
        self.providers = providers;
        self
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self
    }
}
