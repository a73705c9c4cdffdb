//! The WIT packages that every plan can name without having them in `deps/`.

use wit_parser::Resolve;

/// Name for messages and text of each file. One entry is one package.
pub(super) fn packages() -> impl Iterator<Item = (String, &'static str)> {
    lacuna_guest::WIT
        .iter()
        .map(|(path, text)| (format!("{path} (built in)"), *text))
}

/// An interface of a built-in package that has functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// As an import names it: `lacuna:fs/read@0.1.0`.
    pub id: String,
    /// Its documentation's first sentence.
    pub summary: String,
    /// Its functions, by their WIT names.
    pub functions: Vec<String>,
}

/// Every interface that a plan can import without a copy of its package, in the order of the packages.
pub fn interfaces() -> Vec<BuiltIn> {
    let mut resolve = Resolve::default();
    let mut found = Vec::new();
    for (name, text) in packages() {
        // A test parses them all; one that did not would be refused with every plan.
        let Ok(package) = resolve.push_str(&name, text) else {
            continue;
        };
        for interface in resolve.packages[package].interfaces.values() {
            let id = resolve.id_of(*interface);
            let interface = &resolve.interfaces[*interface];
            let functions: Vec<String> = interface.functions.keys().cloned().collect();
            let (Some(id), false) = (id, functions.is_empty()) else {
                continue;
            };
            let docs = interface.docs.contents.as_deref().unwrap_or_default();
            let text = docs.split_whitespace().collect::<Vec<_>>().join(" ");
            let end = text.find(". ").map_or(text.len(), |end| end + 1);
            found.push(BuiltIn {
                id,
                summary: text[..end].to_owned(),
                functions,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_listed() {
        let listed = interfaces();
        for (name, text) in packages() {
            let package = text
                .lines()
                .find_map(|line| line.strip_prefix("package "))
                .and_then(|line| line.split('@').next())
                .unwrap();
            let own: Vec<&BuiltIn> = listed
                .iter()
                .filter(|interface| interface.id.starts_with(&format!("{package}/")))
                .collect();
            assert!(!own.is_empty(), "{name}");
            for interface in own {
                assert!(interface.summary.ends_with('.'), "{interface:?}");
            }
        }
    }
}
