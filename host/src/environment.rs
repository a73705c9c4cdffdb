//! The environment variables that Lacuna reads: each is declared here once, with its name and what it does. Whoever reads
//! one takes the name from here, and the reference is written from here. Nothing here reads the environment.
//!
//! Beside them a grant can name a variable of the author's own that holds a secret (`header.NAME = { env = "VARIABLE" }`);
//! `capability::http::secret` reads those and no others.

/// An environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub role: Role,
    /// What it does, a sentence without its full stop.
    pub meaning: &'static str,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Where things stand on this machine.
    Machine,
    /// A provider's key. It is never printed, written or compared in public.
    Key,
    /// A provider's address.
    Address,
    /// Handed to rustup, so that it can download.
    Download,
    /// How the terminal is written to.
    Terminal,
    /// Where a person writes code.
    Editor,
}

/// See [`VARIABLES`].
pub const LACUNA_CACHE_DIR: &str = "LACUNA_CACHE_DIR";
/// See [`VARIABLES`].
pub const XDG_CACHE_HOME: &str = "XDG_CACHE_HOME";
/// See [`VARIABLES`].
pub const HOME: &str = "HOME";
/// See [`VARIABLES`].
pub const PATH: &str = "PATH";
/// See [`VARIABLES`].
pub const RUSTUP_HOME: &str = "RUSTUP_HOME";
/// See [`VARIABLES`].
pub const CARGO_HOME: &str = "CARGO_HOME";
/// See [`VARIABLES`].
pub const OPENAI_API_KEY: &str = "OPENAI_API_KEY";
/// See [`VARIABLES`].
pub const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";
/// See [`VARIABLES`].
pub const ANTHROPIC_API_KEY: &str = "ANTHROPIC_API_KEY";
/// See [`VARIABLES`].
pub const ANTHROPIC_BASE_URL: &str = "ANTHROPIC_BASE_URL";
/// See [`VARIABLES`].
pub const GEMINI_API_KEY: &str = "GEMINI_API_KEY";
/// See [`VARIABLES`].
pub const GEMINI_BASE_URL: &str = "GEMINI_BASE_URL";
/// See [`VARIABLES`].
pub const OLLAMA_HOST: &str = "OLLAMA_HOST";
/// See [`VARIABLES`].
pub const VISUAL: &str = "VISUAL";
/// See [`VARIABLES`].
pub const EDITOR: &str = "EDITOR";
/// See [`VARIABLES`].
pub const NO_COLOR: &str = "NO_COLOR";
/// See [`VARIABLES`].
pub const CLICOLOR: &str = "CLICOLOR";
/// See [`VARIABLES`].
pub const TERM: &str = "TERM";
/// See [`VARIABLES`].
pub const CI: &str = "CI";

/// The providers' keys.
pub const KEYS: &[&str] = &[OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY];

/// What rustup needs to download, besides what rustc needs to run.
pub const DOWNLOADS: &[&str] = &[
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "RUSTUP_DIST_SERVER",
    "RUSTUP_UPDATE_ROOT",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Every variable that is read, in the order of the reference. Those of [`DOWNLOADS`] share the last row.
pub const VARIABLES: &[Variable] = &[
    machine(
        LACUNA_CACHE_DIR,
        "the cache folder, unless `--cache-dir` names one",
    ),
    machine(
        XDG_CACHE_HOME,
        "without LACUNA_CACHE_DIR the cache is `lacuna` in this folder; a relative path is ignored",
    ),
    machine(
        HOME,
        "without both the cache is `.cache/lacuna` in this folder; rustup and rustc are given it",
    ),
    machine(
        PATH,
        "where rustc and rustup are looked for, relative folders left out, and the programs of `command` models and tools; such a tool is given it, and LANG, and no other variable",
    ),
    machine(RUSTUP_HOME, "given to rustup and rustc"),
    machine(CARGO_HOME, "given to rustup and rustc"),
    Variable {
        name: OPENAI_API_KEY,
        role: Role::Key,
        meaning: "key of the provider `openai`, sent to its public address and to OPENAI_BASE_URL only",
    },
    Variable {
        name: OPENAI_BASE_URL,
        role: Role::Address,
        meaning: "address of the provider `openai`, for models without `base-url`",
    },
    Variable {
        name: ANTHROPIC_API_KEY,
        role: Role::Key,
        meaning: "key of the provider `anthropic`, sent to its public address and to ANTHROPIC_BASE_URL only",
    },
    Variable {
        name: ANTHROPIC_BASE_URL,
        role: Role::Address,
        meaning: "address of the provider `anthropic`, for models without `base-url`",
    },
    Variable {
        name: GEMINI_API_KEY,
        role: Role::Key,
        meaning: "key of the provider `gemini`, sent to its public address and to GEMINI_BASE_URL only",
    },
    Variable {
        name: GEMINI_BASE_URL,
        role: Role::Address,
        meaning: "address of the provider `gemini`, for models without `base-url`",
    },
    Variable {
        name: OLLAMA_HOST,
        role: Role::Address,
        meaning: "address of the provider `ollama`, for models without `base-url`: a host, `host:port` or a URL; absent, 127.0.0.1:11434",
    },
    Variable {
        name: VISUAL,
        role: Role::Editor,
        meaning: "editor in which the provider `human` asks for code",
    },
    Variable {
        name: EDITOR,
        role: Role::Editor,
        meaning: "the same where VISUAL is not set",
    },
    Variable {
        name: NO_COLOR,
        role: Role::Terminal,
        meaning: "when it is set and not empty, nothing is coloured, unless `--color always` is given",
    },
    Variable {
        name: CLICOLOR,
        role: Role::Terminal,
        meaning: "when it is `0`, the same",
    },
    Variable {
        name: TERM,
        role: Role::Terminal,
        meaning: "when it is not set or `dumb`, nothing is coloured and no line moves",
    },
    Variable {
        name: CI,
        role: Role::Terminal,
        meaning: "when it is set and not empty, no line moves",
    },
    Variable {
        name: "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, RUSTUP_DIST_SERVER, RUSTUP_UPDATE_ROOT, SSL_CERT_FILE, SSL_CERT_DIR",
        role: Role::Download,
        meaning: "given to rustup when it downloads the wasm target",
    },
];

const fn machine(name: &'static str, meaning: &'static str) -> Variable {
    Variable {
        name,
        role: Role::Machine,
        meaning,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_stands_in_the_table_once() {
        let listed: Vec<&str> = VARIABLES
            .iter()
            .flat_map(|variable| variable.name.split(", "))
            .collect();
        for name in [
            LACUNA_CACHE_DIR,
            XDG_CACHE_HOME,
            HOME,
            PATH,
            RUSTUP_HOME,
            CARGO_HOME,
            OPENAI_BASE_URL,
            ANTHROPIC_BASE_URL,
            GEMINI_BASE_URL,
            OLLAMA_HOST,
            VISUAL,
            EDITOR,
            NO_COLOR,
            CLICOLOR,
            TERM,
            CI,
        ]
        .iter()
        .chain(KEYS)
        .chain(
            DOWNLOADS
                .iter()
                .filter(|name| name.starts_with(|c: char| c.is_uppercase())),
        ) {
            let count = listed.iter().filter(|listed| *listed == name).count();
            assert_eq!(count, 1, "{name}");
        }
    }

    #[test]
    fn the_keys_are_those_with_that_role() {
        let keys: Vec<&str> = VARIABLES
            .iter()
            .filter(|variable| variable.role == Role::Key)
            .map(|variable| variable.name)
            .collect();
        assert_eq!(keys, KEYS);
    }
}
