//! What is wrong with a `macro_rules!` of ours: where a caller's tokens would escape the caller's own lints and names.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Fragments that stay what they were parsed as, wherever they are put.
const PARSED: [&str; 7] = ["expr", "ident", "ty", "vis", "literal", "lifetime", "block"];

/// Macros that take a caller's tokens as they are: `format_args!` is the compiler's own, `thread_local!` goes its own
/// next round.
const PASSED_ON: [&str; 2] = ["format_args", "thread_local"];

/// A variable of a pattern.
struct Variable {
    name: String,
    kind: String,
}

/// What is wrong with the rules of one macro, a sentence each.
pub(crate) fn faults(rules: TokenStream) -> Vec<String> {
    let mut groups = rules.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let mut faults = Vec::new();
    while let (Some(pattern), Some(body)) = (groups.next(), groups.next()) {
        let tokens: Vec<TokenTree> = pattern.clone().into_iter().collect();
        faults.extend(
            internal_start(&tokens).map(|token| format!("an internal rule starts with `{token}`")),
        );
        let mut variables = Vec::new();
        collect(&tokens, &mut variables);
        let mut scan = Scan {
            variables: &variables,
            faults: &mut faults,
        };
        scan.tokens(&body, false, false);
        // `()` matches nothing of a caller's, so what it expands to is ours alone.
        if !variables.is_empty() && contains(&body, "unsafe") {
            faults.push("a rule that takes tokens writes `unsafe`".to_owned());
        }
        for variable in variables.iter().filter(|variable| variable.kind == "meta") {
            faults.push(format!(
                "`${}:meta` is an attribute in which any token could take effect",
                variable.name
            ));
        }
    }
    faults
}

/// The literal token that a pattern starts with, if it does: whoever can write it chooses the rule. Attributes at the
/// start are what every item may have, so a repetition of them is no internal rule.
fn internal_start(pattern: &[TokenTree]) -> Option<String> {
    match pattern.first()? {
        TokenTree::Punct(dollar) if dollar.as_char() == '$' => match pattern.get(1) {
            Some(TokenTree::Group(repeated)) => {
                let inner: Vec<TokenTree> = repeated.stream().into_iter().collect();
                match inner.first() {
                    Some(TokenTree::Punct(hash)) if hash.as_char() == '#' => None,
                    _ => internal_start(&inner),
                }
            }
            _ => None,
        },
        other => Some(other.to_string()),
    }
}

/// The variables of a pattern, those in its groups too.
fn collect(pattern: &[TokenTree], into: &mut Vec<Variable>) {
    for window in pattern.windows(4) {
        if let [
            TokenTree::Punct(dollar),
            TokenTree::Ident(name),
            TokenTree::Punct(colon),
            TokenTree::Ident(kind),
        ] = window
            && dollar.as_char() == '$'
            && colon.as_char() == ':'
        {
            into.push(Variable {
                name: name.to_string(),
                kind: kind.to_string(),
            });
        }
    }
    for token in pattern {
        if let TokenTree::Group(group) = token {
            collect(&group.stream().into_iter().collect::<Vec<_>>(), into);
        }
    }
}

fn contains(tokens: &TokenStream, word: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => contains(&group.stream(), word),
        TokenTree::Ident(ident) => ident == word,
        _ => false,
    })
}

struct Scan<'a> {
    variables: &'a [Variable],
    faults: &'a mut Vec<String>,
}

impl Scan<'_> {
    /// Looks at a part of a rule's body; `in_attribute` where it stands under `#[…]`, `passed_on` where any token may stand.
    fn tokens(&mut self, body: &TokenStream, in_attribute: bool, passed_on: bool) {
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
                    // `macro_rules! name { … }` has a name between.
                    let definition = before(2) == "!" && before(3) == "macro_rules";
                    let call = before(1) == "!" || definition;
                    if call && (definition || !is_absolute(&tokens[..index - 1])) {
                        self.faults
                            .push(format!("`{}!` is not called through `$crate::`", before(2)));
                    }
                    let passes = call && PASSED_ON.contains(&&*before(2));
                    self.tokens(
                        &group.stream(),
                        in_attribute || attribute,
                        passes || (passed_on && before(1) == "$"),
                    );
                }
                TokenTree::Ident(name) if before(1) == "$" => {
                    let Some(variable) = self.variables.iter().find(|own| *name == own.name) else {
                        continue;
                    };
                    let Variable { name, kind } = variable;
                    if in_attribute {
                        self.faults
                            .push(format!("`${name}` stands under an attribute"));
                    }
                    if !passed_on && !PARSED.contains(&&**kind) {
                        self.faults.push(format!(
                            "`${name}:{kind}` stands where any token could take effect"
                        ));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether the path at the end of `tokens` (what stands before the `!`) starts with `$crate::` or with `::`, which no
/// definition of a caller can shadow.
fn is_absolute(tokens: &[TokenTree]) -> bool {
    let punct = |back: usize, wanted: char| {
        let at = tokens.len().checked_sub(back);
        at.is_some_and(|at| matches!(&tokens[at], TokenTree::Punct(own) if own.as_char() == wanted))
    };
    let mut segments = 0;
    loop {
        // The identifier that ends the path, or stands before the `::` that was passed.
        let back = 1 + segments * 3;
        let ident = tokens.len().checked_sub(back).map(|at| &tokens[at]);
        match ident {
            Some(TokenTree::Ident(name)) if name == "crate" && punct(back + 1, '$') => {
                return segments > 0;
            }
            Some(TokenTree::Ident(_)) if punct(back + 1, ':') && punct(back + 2, ':') => {
                segments += 1;
            }
            Some(TokenTree::Ident(_)) => return false,
            // Nothing, or something that is no part of the path: it starts with `::`.
            _ => return segments > 0,
        }
    }
}
