//! The rule on the curated crates' own macros, held by reading their sources.
//!
//! Whatever a caller writes must land where the caller's own lints and names govern it. The standard `thread_local!`
//! broke that: its internal rules put a caller's attributes on an item that the macro wrote, and `-F unsafe_code` was
//! passed by.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Fragments that stay what they were parsed as, wherever they are put.
const PARSED: &[&str] = &["expr", "ident", "ty", "vis", "literal", "lifetime", "block"];

#[derive(Default)]
struct Exported(Vec<(String, TokenStream)>);

impl<'ast> Visit<'ast> for Exported {
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        let exported = item
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("macro_export"));
        if exported {
            let name = item.ident.as_ref().unwrap().to_string();
            self.0.push((name, item.mac.tokens.clone()));
        }
        visit::visit_item_macro(self, item);
    }
}

/// Every macro that a snippet can call: those exported by the crates it links. `lacuna_rt` is out of its reach.
fn exported() -> Vec<(String, TokenStream)> {
    let mut found = Exported::default();
    for (path, text) in lacuna_guest::SOURCES {
        if !path.starts_with("rt/") {
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            found.visit_file(&file);
        }
    }
    found.0
}

/// What is wrong with a `macro_rules!` body.
fn faults(rules: TokenStream) -> Vec<String> {
    let mut groups = rules.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let mut faults = Vec::new();
    while let (Some(pattern), Some(body)) = (groups.next(), groups.next()) {
        let first = pattern.clone().into_iter().next();
        if let Some(TokenTree::Punct(punct)) = &first
            && !matches!(punct.as_char(), '$' | '#')
        {
            faults.push(format!("an internal rule starts with `{punct}`"));
        }
        if let Some(TokenTree::Ident(word)) = &first {
            faults.push(format!("an internal rule starts with `{word}`"));
        }
        let mut loose = Vec::new();
        variables(&pattern, &mut loose);
        scan(&body, &loose, false, false, &mut faults);
    }
    faults
}

/// Collects the pattern's variables, with their kind.
fn variables(pattern: &TokenStream, into: &mut Vec<(String, String)>) {
    let tokens: Vec<TokenTree> = pattern.clone().into_iter().collect();
    for window in tokens.windows(4) {
        if let [
            TokenTree::Punct(dollar),
            TokenTree::Ident(name),
            TokenTree::Punct(colon),
            TokenTree::Ident(kind),
        ] = window
            && dollar.as_char() == '$'
            && colon.as_char() == ':'
        {
            into.push((name.to_string(), kind.to_string()));
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            variables(&group.stream(), into);
        }
    }
}

fn scan(
    body: &TokenStream,
    variables: &[(String, String)],
    closed: bool,
    tokens_allowed: bool,
    faults: &mut Vec<String>,
) {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let before = |back: usize| {
            index
                .checked_sub(back)
                .map(|at| tokens[at].to_string())
                .unwrap_or_default()
        };
        match token {
            TokenTree::Group(group) => {
                let attribute = before(1) == "#" && group.delimiter() == Delimiter::Bracket;
                let unsafe_block = before(1) == "unsafe";
                let own_call = before(1) == "!";
                if own_call && !(before(3) == ":" && before(5) == "crate" && before(6) == "$") {
                    faults.push(format!("`{}!` is not called through `$crate::`", before(2)));
                }
                // Raw tokens may go on to `format_args!`, and to the macro's own next round.
                let passes = own_call && matches!(&*before(2), "format_args" | "thread_local");
                scan(
                    &group.stream(),
                    variables,
                    closed || attribute || unsafe_block,
                    passes || (tokens_allowed && before(1) == "$"),
                    faults,
                );
            }
            TokenTree::Ident(name) if before(1) == "$" => {
                let Some((_, kind)) = variables.iter().find(|(variable, _)| name == variable)
                else {
                    continue;
                };
                if closed {
                    faults.push(format!(
                        "`${name}` stands under an attribute or in an unsafe block"
                    ));
                }
                if !tokens_allowed && !PARSED.contains(&&**kind) {
                    faults.push(format!(
                        "`${name}:{kind}` stands where any token could take effect"
                    ));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn a_callers_tokens_stay_where_its_lints_see_them() {
    let macros = exported();
    let names: Vec<&str> = macros.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "print",
            "println",
            "eprint",
            "eprintln",
            "dbg",
            "thread_local"
        ]
    );
    for (name, rules) in macros {
        let faults = faults(rules);
        assert!(faults.is_empty(), "{name}!: {faults:#?}");
    }
}

#[test]
fn the_scan_finds_what_it_is_for() {
    for bad in [
        "($(#[$m:meta])* static) => { $(#[$m])* static X: u8 = 1; };",
        "(@inner $x:expr) => { $x };",
        "(inner $x:expr) => { $x };",
        "($x:expr) => { unsafe { $x } };",
        "($($x:tt)*) => { $($x)* };",
        "($($x:tt)*) => { format_args!($($x)*) };",
        "($x:item) => { $x };",
        "($x:stmt) => { $x };",
    ] {
        assert!(!faults(bad.parse().unwrap()).is_empty(), "{bad}");
    }
    for good in [
        "() => {}; ($($x:tt)*) => { $crate::f($crate::format_args!($($x)*)) };",
        "($x:expr) => { $crate::f($x) };",
    ] {
        assert_eq!(faults(good.parse().unwrap()), [] as [String; 0], "{good}");
    }
}
