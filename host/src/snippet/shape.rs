//! From a text that could be read to a module for the compiler: items or body, the resources, the wrapper.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Rejection, Span};
use crate::layer::{self, Layer};
use crate::scope::{Scope, ScopeFunction, ScopeResource};

use super::outline::{Implementation, Outline, SyntaxError};
use super::reading::Reading;
use super::{Form, Snippet, modules, screen};

/// What a scope asks for.
pub(super) struct Wanted<'scope> {
    /// Functions by their path in the text: `run`, `i::run`.
    pub(super) functions: Vec<(String, &'scope ScopeFunction)>,
    /// Functions that may stand at the top, with the path that they also are taken from: `mean` and `stats::mean`.
    /// Answers put them into a module of the interface's name although none is asked for.
    tolerated: Vec<(String, String)>,
    /// Resources, with the module their interface must stand in.
    resources: Vec<(Option<&'scope str>, &'scope ScopeResource)>,
    /// The one function whose bare body is accepted.
    pub(super) body: Option<&'scope ScopeFunction>,
}

impl<'scope> Wanted<'scope> {
    pub(super) fn of(scope: &'scope Scope) -> Self {
        let mut functions = Vec::new();
        let mut tolerated = Vec::new();
        let mut resources = Vec::new();
        for export in &scope.exports {
            let module = export.module.as_deref();
            for function in &export.functions {
                let path = match module {
                    Some(module) => format!("{}::{}", plain(module), plain(&function.rust)),
                    None => plain(&function.rust).to_owned(),
                };
                if let (None, Some(inner)) = (module, export.own_module()) {
                    tolerated.push((path.clone(), format!("{inner}::{path}")));
                }
                functions.push((path, function));
            }
            resources.extend(export.resources.iter().map(|resource| (module, resource)));
        }
        let body = match functions.as_slice() {
            [(path, function)] if resources.is_empty() && !path.contains("::") => Some(*function),
            _ => None,
        };
        Self {
            functions,
            tolerated,
            resources,
            body,
        }
    }

    /// A name for each thing that is asked for; see [`Wanted::defines`].
    pub(super) fn keys(&self) -> Vec<String> {
        let functions = self.functions.iter().map(|(path, _)| path.clone());
        let resources = self.resources.iter().map(|(module, resource)| {
            format!("impl {}::{}", module.unwrap_or(""), resource.trait_name)
        });
        functions.chain(resources).collect()
    }

    /// Whether a text defines what a key names.
    pub(super) fn defines(&self, outline: &Outline, key: &str) -> bool {
        outline.functions.contains(key)
            || self.adopted(outline).any(|(path, _)| path == key)
            || self.resources.iter().any(|(module, resource)| {
                key == format!("impl {}::{}", module.unwrap_or(""), resource.trait_name)
                    && !implementations(outline, *module, resource).is_empty()
            })
    }

    /// The functions that are missing at the top and stand in the module of their interface.
    fn adopted<'own>(
        &'own self,
        outline: &'own Outline,
    ) -> impl Iterator<Item = &'own (String, String)> {
        self.tolerated.iter().filter(|(path, inner)| {
            !outline.functions.contains(path) && outline.functions.contains(inner)
        })
    }

    /// The keys that a text does not define.
    pub(super) fn missing(&self, outline: &Outline) -> Vec<String> {
        self.keys()
            .into_iter()
            .filter(|key| !self.defines(outline, key))
            .collect()
    }

    /// What to write, a line each, for advice.
    pub(super) fn signatures(&self) -> Vec<String> {
        let functions = self
            .functions
            .iter()
            .map(|(path, function)| signature(path, function));
        let resources = self.resources.iter().map(|(module, resource)| {
            let place = module.map_or(String::new(), |module| format!(" in `pub mod {module}`"));
            format!("impl {} for YourType {{ … }}{place}", resource.trait_name)
        });
        functions.chain(resources).collect()
    }
}

/// The judgement of a text before the compiler's; `form` is given when it is known already.
pub(super) fn build(
    reading: Reading,
    form: Option<Form>,
    closed: bool,
    scope: &Scope,
) -> Result<Snippet, Rejection> {
    let Reading {
        text,
        tokens,
        outline,
    } = &reading;
    let reject = |diagnostics| Rejection::snippet(diagnostics, text);
    let outline = match outline {
        Ok(outline) => outline,
        Err(problem) => {
            let mut diagnostic = problem.diagnostic.clone();
            if problem.cut_off {
                diagnostic = cut_off(diagnostic, closed);
            }
            return Err(reject(vec![diagnostic]));
        }
    };
    let forbidden = screen::forbidden(text, tokens);
    if layer::stands(Layer::Screen) && !forbidden.is_empty() {
        return Err(reject(forbidden));
    }
    let wanted = Wanted::of(scope);
    let parses = outline.items || outline.body;
    if let Some(error) = outline.error.as_ref().filter(|_| !parses) {
        // rustc's words on a syntax error are better and may be applied as a fix. Two errors stay here: it would place
        // one at the end of the text in the wrapper, and without a tree the types of resources cannot be found.
        if error.at_end || !wanted.resources.is_empty() {
            let mut diagnostic = syntax(text, error);
            if error.at_end {
                diagnostic = cut_off(diagnostic, closed);
            }
            return Err(reject(vec![diagnostic]));
        }
    }
    let form = match form {
        Some(form) => form,
        None => decide(&reading, outline, &wanted).map_err(reject)?,
    };
    let resources = match form {
        Form::Items if parses => resources(text, outline, &wanted).map_err(reject)?,
        _ => BTreeMap::new(),
    };
    let hidden = hidden_handles(&reading, outline, &wanted);
    if !hidden.is_empty() {
        return Err(reject(hidden));
    }
    let mut compiled = text.clone().into_bytes();
    for mark in screen::inner_doc_marks(text, tokens) {
        compiled[mark] = b' ';
    }
    let compiled = String::from_utf8(compiled).unwrap_or_else(|_| text.clone());
    let mut module = scope.head().to_owned();
    if form == Form::Body
        && let Some(function) = wanted.body
    {
        module.push_str(&format!("pub {} {{\n", function.absolute));
    }
    let lines_before = module.bytes().filter(|byte| *byte == b'\n').count() as u32;
    let (compiled, insertions) = modules::with_insertions(text, compiled, tokens, form, scope);
    module.push_str(&compiled);
    // A comment in the last line of the text must not swallow what is ours.
    module.push('\n');
    if form == Form::Body {
        module.push_str("}\n");
    } else {
        // The glue calls what stands at the top.
        for (_, inner) in wanted.adopted(outline) {
            module.push_str(&format!("#[allow(unused_imports)] use self::{inner};\n"));
        }
    }
    module.push_str(&scope.glue(&resources));
    Ok(Snippet {
        hash: format!("blake3:{}", blake3::hash(text.as_bytes())),
        text: text.clone(),
        form,
        module,
        lines_before,
        insertions,
        resources,
    })
}

/// Items or body, or what is missing.
fn decide(
    reading: &Reading,
    outline: &Outline,
    wanted: &Wanted<'_>,
) -> Result<Form, Vec<Diagnostic>> {
    let missing = wanted.missing(outline);
    if outline.items && missing.is_empty() {
        return Ok(Form::Items);
    }
    if outline.items && is_of_wit_bindgen(outline, wanted) {
        return Err(absent(reading, outline, wanted, &missing));
    }
    let Some(function) = wanted.body else {
        // A macro may write what is missing; without a tree nothing is known to be missing.
        if (outline.items && outline.open) || !(outline.items || outline.body) {
            return Ok(Form::Items);
        }
        return Err(absent(reading, outline, wanted, &missing));
    };
    if outline.body && outline.only_items && !outline.items && reading.has_function(&function.rust)
    {
        // A signature that ends in a semicolon is a statement to the parser, and no body.
        return Ok(Form::Items);
    }
    if outline.items && outline.written_by_macros {
        return Ok(Form::Items);
    }
    if outline.body {
        let returns = function.result.is_some();
        let idle = outline.only_items
            && !outline.names.is_empty()
            && !outline.open
            && (returns || outline.functions.contains("main"));
        return if idle {
            Err(absent(reading, outline, wanted, &missing))
        } else {
            Ok(Form::Body)
        };
    }
    if outline.items || reading.mentions_function(&function.rust) {
        return Ok(Form::Items);
    }
    Ok(Form::Body)
}

/// Whether a text is written as for wit-bindgen, with an `impl Guest` that no resource asks for.
fn is_of_wit_bindgen(outline: &Outline, wanted: &Wanted<'_>) -> bool {
    outline.implementations.iter().any(|own| {
        own.trait_name.starts_with("Guest")
            && !outline.names.contains(&own.trait_name)
            && !wanted.resources.iter().any(|(_, resource)| {
                resource.trait_name.rsplit("::").next() == Some(own.trait_name.as_str())
            })
    })
}

/// Diagnostics for what a text should define and does not.
fn absent(
    reading: &Reading,
    outline: &Outline,
    wanted: &Wanted<'_>,
    missing: &[String],
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (path, function) in &wanted.functions {
        if !missing.contains(path) {
            continue;
        }
        let name = &function.rust;
        let mut diagnostic = Diagnostic::error(
            "no-function",
            format!("the code defines no function `{path}`"),
        )
        .help(format!("write `{}`", with_body(path, function)));
        let known = |own: &&str| wanted.functions.iter().any(|(path, _)| path == own);
        let others = outline.functions.iter().map(String::as_str);
        if let Some(near) = crate::error::nearest(path, others.filter(|own| !known(own))) {
            diagnostic =
                diagnostic.help(format!("the snippet has `{near}`; did you mean `{path}`?"));
        }
        if !outline.items {
            diagnostic = diagnostic.help(
                "statements alone are accepted only where one function is asked for: write whole functions",
            );
        }
        if let Some((module, _)) = path.split_once("::") {
            diagnostic = diagnostic.help(format!(
                "the functions of this interface stand in `pub mod {module} {{ use super::*; … }}`"
            ));
        } else if outline
            .functions
            .iter()
            .any(|own| own.ends_with(&format!("::{name}")))
        {
            diagnostic = diagnostic.help("it must stand at the top, not in a module");
        } else if is_of_wit_bindgen(outline, wanted) {
            diagnostic = diagnostic.help(
                "write it as a plain function at the top; leave out `impl Guest for …` and `export!(…)`: traits are \
                 implemented only for resources",
            );
        } else if let Some((_, of)) = outline.methods.iter().find(|(own, _)| own == plain(name)) {
            diagnostic = diagnostic.help(format!(
                "it stands in `impl {of}`: write it as a function at the top, without `impl` and `self`"
            ));
        } else if reading.has_function(name) {
            diagnostic =
                diagnostic.help("it must stand at the top as a function of its own, not in an `impl`, a trait or another function");
        } else if outline.functions.contains("main") {
            diagnostic = diagnostic.help(format!("nobody calls `fn main`: rename it to `{name}`"));
        } else if wanted.body.is_some() {
            diagnostic = diagnostic.help(
                "a bare body is accepted too; it must end with the result (else: mismatched types, found `()`)",
            );
        }
        diagnostics.push(diagnostic);
    }
    for (module, resource) in &wanted.resources {
        if implementations(outline, *module, resource).is_empty() {
            diagnostics.push(no_implementation(*module, resource));
        }
    }
    diagnostics
}

fn no_implementation(module: Option<&str>, resource: &ScopeResource) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        "no-implementation",
        format!("the code has no `impl {} for …`", resource.trait_name),
    )
    .help(format!(
        "write a struct and implement this for it:\n{}",
        resource.trait_text.trim_end()
    ));
    if let Some(module) = module {
        diagnostic = diagnostic.help(format!("it stands in `pub mod {module} {{ … }}`"));
    }
    diagnostic
}

/// The type behind each exported resource.
fn resources(
    text: &str,
    outline: &Outline,
    wanted: &Wanted<'_>,
) -> Result<BTreeMap<String, String>, Vec<Diagnostic>> {
    let mut found = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for (module, resource) in &wanted.resources {
        let own = implementations(outline, *module, resource);
        let trait_name = &resource.trait_name;
        match own.as_slice() {
            [] => diagnostics.push(no_implementation(*module, resource)),
            [one] if one.generic => diagnostics.push(
                Diagnostic::error(
                    "no-implementation",
                    format!("the type that implements `{trait_name}` has a lifetime or a type parameter"),
                )
                .at(Span::of_bytes(text, one.range.clone()))
                .help("the value outlives the call that makes it: let the type own what it needs, without lifetime or type parameters"),
            ),
            [one] => {
                found.insert(trait_name.clone(), one.path());
            }
            [first, others @ ..] => {
                let mut diagnostic = Diagnostic::error(
                    "several-implementations",
                    format!("`{trait_name}` is implemented for more than one type"),
                )
                .at(Span::of_bytes(text, first.range.clone()).labelled("first here"))
                .help("implement it for one type; use an enum inside it for several kinds");
                for other in others {
                    diagnostic = diagnostic
                        .at(Span::of_bytes(text, other.range.clone()).labelled("and here").secondary());
                }
                diagnostics.push(diagnostic);
            }
        }
    }
    if diagnostics.is_empty() {
        Ok(found)
    } else {
        Err(diagnostics)
    }
}

/// Types of the text that have the name of a handle which the text must write. rustc would speak of two types of one name
/// at each place where the handle is meant.
fn hidden_handles(reading: &Reading, outline: &Outline, wanted: &Wanted<'_>) -> Vec<Diagnostic> {
    let names = |text: &str, name: &str| {
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|word| word == name)
    };
    let written = |handle: &str| {
        let in_trait = |resource: &&ScopeResource| names(&resource.trait_text, handle);
        let in_function = |function: &&ScopeFunction| names(&function.signature, handle);
        wanted
            .resources
            .iter()
            .map(|(_, resource)| *resource)
            .any(|resource| in_trait(&resource))
            || wanted
                .functions
                .iter()
                .map(|(_, function)| *function)
                .any(|function| in_function(&function))
    };
    wanted
        .resources
        .iter()
        .filter(|(module, _)| module.is_none())
        .filter_map(|(_, resource)| resource.trait_name.strip_prefix("Guest"))
        .filter(|handle| outline.names.contains(*handle) && written(handle))
        .filter_map(|handle| {
            let place = reading.tokens.windows(2).find(|pair| {
                let defines = ["struct", "enum", "type", "union"];
                defines.iter().any(|word| pair[0].is_word(word)) && pair[1].is_word(handle)
            })?;
            let span = Span::of_bytes(&reading.text, place[1].range.clone());
            Some(
                Diagnostic::error(
                    "hidden-handle",
                    format!(
                        "`{handle}` is the handle of the resource, and a type of this name hides it"
                    ),
                )
                .at(span.labelled("this type"))
                .help(format!("give the type another name, such as `My{handle}`")),
            )
        })
        .collect()
}

fn implementations<'outline>(
    outline: &'outline Outline,
    module: Option<&str>,
    resource: &ScopeResource,
) -> Vec<&'outline Implementation> {
    outline
        .implementations
        .iter()
        .filter(|own| {
            // A trait that exists in two interfaces has a path for a name.
            let (path, last) = match resource.trait_name.rsplit_once("::") {
                Some((_, last)) => (true, last),
                None => (false, resource.trait_name.as_str()),
            };
            own.trait_name == last
                && (!path || module.is_some() || own.trait_path.ends_with(&resource.trait_name))
                && module.is_none_or(|module| {
                    own.modules
                        .first()
                        .is_some_and(|first| plain(first) == plain(module))
                })
        })
        .collect()
}

/// A syntax error of syn in rustc's manner: what was expected, and what stands there.
fn syntax(text: &str, error: &SyntaxError) -> Diagnostic {
    let found = text.get(error.range.clone()).unwrap_or("");
    let short = !found.is_empty() && found.len() <= 40 && !found.contains('\n');
    let message =
        if short && error.message.starts_with("expected") && !error.message.contains("found") {
            format!("{}, found `{found}`", error.message)
        } else {
            error.message.clone()
        };
    Diagnostic::error("syntax", message).at(Span::of_bytes(text, error.range.clone()))
}

fn cut_off(mut diagnostic: Diagnostic, closed: bool) -> Diagnostic {
    if closed {
        return diagnostic.help("the code ends in the middle: close what is open");
    }
    diagnostic.code = Some("lacuna::unclosed-fence".to_owned());
    diagnostic.help("the answer was cut off inside the code: answer with the whole code again, and with less text around it")
}

fn signature(path: &str, function: &ScopeFunction) -> String {
    match path.split_once("::") {
        Some((module, _)) => format!("pub mod {module} {{ pub {} }}", function.signature),
        None => format!("pub {}", function.signature),
    }
}

/// The same with a body, to be written where the signature's `}` of a module is not in the way.
fn with_body(path: &str, function: &ScopeFunction) -> String {
    match path.split_once("::") {
        Some((module, _)) => format!("pub mod {module} {{ pub {} {{ … }} }}", function.signature),
        None => format!("pub {} {{ … }}", function.signature),
    }
}

/// An identifier without `r#`.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
