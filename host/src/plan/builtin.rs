//! The WIT packages that every plan can name without having them in `deps/`.

/// Name for messages and text of each file. One entry is one package.
pub(super) fn packages() -> impl Iterator<Item = (String, &'static str)> {
    lacuna_guest::WIT
        .iter()
        .map(|(path, text)| (format!("{path} (built in)"), *text))
}
