//! WIT that Lacuna refuses (end of CONTRACTS section 1): what the bindings generator cannot express, what a snippet
//! could not name, and what is not supported. Refused here once, with the line, and not after a model was paid.

use std::collections::{BTreeMap, HashSet};

use wit_parser::{InterfaceId, Span, TypeDefKind, TypeId, TypeOwner, WorldId, WorldItem, WorldKey};

use super::holes::{rust_method, world_place};
use super::source::Parsed;
use crate::error::Fault;
use crate::value::{Type, TypeError};

/// Crates, and the path roots of Rust, that a snippet names: a module of the same name would hide them.
const ROOTS: &[&str] = &[
    "std", "core", "alloc", "bindings", "crate", "self", "super", "hole",
];

/// Strict and reserved words of Rust. `gen` is none of the bindings' edition and works.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
    "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Names of the prelude that generated code and every snippet write bare.
const PRELUDE: &[&str] = &[
    "Option", "Result", "Some", "None", "Ok", "Err", "String", "Vec", "Box", "Self",
];

/// Inherent functions that the bindings give every imported resource.
const HANDLE_FUNCTIONS: &[&str] = &["from_handle", "take_handle", "handle"];

/// Most flags that a component can have in one type.
const MOST_FLAGS: usize = 32;

/// Name under which every core module exports its memory.
const MEMORY: &str = "memory";

/// Adds what is wrong with a hole's world to `faults`.
pub(super) fn check(parsed: &Parsed, world: WorldId, faults: &mut Vec<Fault>) {
    let mut check = Check {
        parsed,
        world,
        faults,
        seen: HashSet::new(),
    };
    check.world();
}

struct Check<'a> {
    parsed: &'a Parsed,
    world: WorldId,
    faults: &'a mut Vec<Fault>,
    seen: HashSet<InterfaceId>,
}

impl Check<'_> {
    fn world(&mut self) {
        let parsed = self.parsed;
        let world = &parsed.resolve.worlds[self.world];
        let namespaces = self.namespaces();
        for (items, exported) in [(&world.imports, false), (&world.exports, true)] {
            let mut functions = Names::default();
            let mut types = Names::default();
            for (key, item) in items {
                match item {
                    WorldItem::Interface { id, .. } => {
                        self.label(key, *id, item.span(), &namespaces);
                        self.interface(*id, exported);
                    }
                    WorldItem::Function(function) => {
                        self.function(function);
                        if exported && function.name == MEMORY {
                            self.refuse(
                                function.span,
                                Fault::new(format!("a function to write cannot be named `{MEMORY}`: a component's code exports its memory under this name"))
                                    .hint("rename it, or export it in an interface"),
                            );
                        }
                        self.unique(
                            &mut functions,
                            "functions",
                            &function.name,
                            snake(&function.name),
                            function.span,
                        );
                    }
                    WorldItem::Type { id, span } => {
                        let definition = &parsed.resolve.types[*id];
                        if matches!(definition.kind, TypeDefKind::Resource) {
                            self.refuse(
                                definition.span,
                                Fault::new("a resource of a world itself is not supported")
                                    .hint("declare it in an interface and import or export that"),
                            );
                            continue;
                        }
                        self.definition(*id, *span);
                        if let Some(name) = &definition.name {
                            self.unique(&mut types, "types", name, camel(name), *span);
                        }
                    }
                }
            }
        }
    }

    /// Namespaces of the packages whose interfaces take part: the bindings have a module of each at their root.
    fn namespaces(&self) -> HashSet<String> {
        let resolve = &self.parsed.resolve;
        let world = &resolve.worlds[self.world];
        world
            .imports
            .values()
            .chain(world.exports.values())
            .filter_map(|item| match item {
                WorldItem::Interface { id, .. } => resolve.interfaces[*id].package,
                _ => None,
            })
            .chain(world.package)
            .map(|package| snake(&resolve.packages[package].name.namespace))
            .collect()
    }

    fn label(
        &mut self,
        key: &WorldKey,
        interface: InterfaceId,
        span: Span,
        namespaces: &HashSet<String>,
    ) {
        let (name, labelled) = match key {
            WorldKey::Name(name) => (name.clone(), true),
            WorldKey::Interface(_) => {
                let interface = &self.parsed.resolve.interfaces[interface];
                // Types alone are re-exported without a module of that name.
                if interface.functions.is_empty() {
                    return;
                }
                (interface.name.clone().unwrap_or_default(), false)
            }
        };
        let rust = snake(&name);
        let what = if labelled { "label" } else { "interface" };
        let reason = if ROOTS.contains(&rust.as_str()) {
            "a root of paths in Rust"
        } else if labelled && KEYWORDS.contains(&rust.as_str()) {
            "a keyword of Rust"
        } else if labelled && namespaces.contains(&rust) {
            "the namespace of a package"
        } else {
            return;
        };
        let written = self.written(key);
        let span = if span.is_known() {
            span
        } else {
            self.parsed.resolve.interfaces[interface].span
        };
        let fault = Fault::new(format!(
            "the {what} `{name}` cannot be used: it is {reason}"
        ))
        .hint("give the import another label: `import my-label: …;`");
        match written {
            Some(place) => self.push(fault.at(place)),
            None => self.refuse(span, fault),
        }
    }

    fn written(&self, key: &WorldKey) -> Option<crate::error::Place> {
        let resolve = &self.parsed.resolve;
        let world = &resolve.worlds[self.world];
        let package = &resolve.packages[world.package?].name;
        self.parsed
            .written_imports(package, &world.name)?
            .get(&resolve.name_world_key(key))
            .cloned()
    }

    fn interface(&mut self, id: InterfaceId, exported: bool) {
        // An interface can be imported and exported; its names are checked for both.
        if !self.seen.insert(id) && !exported {
            return;
        }
        let parsed = self.parsed;
        let interface = &parsed.resolve.interfaces[id];
        let mut types = Names::default();
        for (name, id) in &interface.types {
            let span = parsed.resolve.types[*id].span;
            self.definition(*id, span);
            self.unique(&mut types, "types", name, camel(name), span);
        }
        let mut functions = Names::default();
        let mut methods: BTreeMap<TypeId, Names> = BTreeMap::new();
        for function in interface.functions.values() {
            self.function(function);
            let rust = snake(rust_method(function));
            match function.kind.resource() {
                None => self.unique(
                    &mut functions,
                    "functions",
                    &function.name,
                    rust,
                    function.span,
                ),
                Some(resource) => {
                    if !exported && HANDLE_FUNCTIONS.contains(&rust.as_str()) {
                        let name = rust_method(function);
                        self.refuse(
                            function.span,
                            Fault::new(format!("a resource's function cannot be named `{name}`: its bindings have one")),
                        );
                    }
                    let names = methods.entry(resource).or_default();
                    self.unique(
                        names,
                        "functions of the resource",
                        &function.name,
                        rust,
                        function.span,
                    );
                }
            }
        }
    }

    fn function(&mut self, function: &wit_parser::Function) {
        if function.kind.is_async() {
            self.refuse(
                function.span,
                Fault::new("`async` functions are not supported")
                    .hint("write `func` without `async`"),
            );
        }
        let mut names = Names::default();
        for parameter in &function.params {
            let span = if parameter.span.is_known() {
                parameter.span
            } else {
                function.span
            };
            self.ty(&parameter.ty, span);
            self.unique(
                &mut names,
                "parameters",
                &parameter.name,
                snake(&parameter.name),
                span,
            );
        }
        if let Some(result) = &function.result {
            self.ty(result, function.span);
        }
    }

    fn definition(&mut self, id: TypeId, span: Span) {
        let definition = &self.parsed.resolve.types[id];
        if matches!(definition.owner, TypeOwner::None) {
            return;
        }
        let name = definition.name.clone().unwrap_or_default();
        let rust = camel(&name);
        if PRELUDE.contains(&rust.as_str()) {
            self.refuse(
                definition.span,
                Fault::new(format!(
                    "a type cannot be named `{name}`: in Rust it would hide `{rust}`"
                )),
            );
        }
        let mut names = Names::default();
        match &definition.kind {
            TypeDefKind::Record(record) => {
                for field in &record.fields {
                    self.unique(
                        &mut names,
                        "fields",
                        &field.name,
                        snake(&field.name),
                        field.span,
                    );
                }
            }
            TypeDefKind::Variant(variant) => {
                for case in &variant.cases {
                    self.case(&mut names, &case.name, case.span);
                }
            }
            TypeDefKind::Enum(cases) => {
                for case in &cases.cases {
                    self.case(&mut names, &case.name, case.span);
                }
            }
            TypeDefKind::Flags(flags) => {
                for flag in &flags.flags {
                    self.unique(
                        &mut names,
                        "flags",
                        &flag.name,
                        snake(&flag.name),
                        flag.span,
                    );
                }
                if flags.flags.len() > MOST_FLAGS {
                    let number = flags.flags.len();
                    self.refuse(
                        definition.span,
                        Fault::new(format!(
                            "the flags `{name}` are {number}, a component can have {MOST_FLAGS}"
                        ))
                        .hint("make a record of two sets of flags, or a list of an enum"),
                    );
                }
            }
            TypeDefKind::Resource => return,
            _ => {}
        }
        let span = if span.is_known() {
            span
        } else {
            definition.span
        };
        self.ty(&wit_parser::Type::Id(id), span);
    }

    fn case(&mut self, names: &mut Names, name: &str, span: Span) {
        let rust = camel(name);
        if rust == "Self" {
            self.refuse(
                span,
                Fault::new(format!(
                    "a case cannot be named `{name}`: `Self` is a keyword of Rust"
                )),
            );
        }
        self.unique(names, "cases", name, rust, span);
    }

    fn ty(&mut self, ty: &wit_parser::Type, span: Span) {
        if let Err(error) = Type::of(&self.parsed.resolve, ty) {
            let hint = match error {
                TypeError::Unsupported("map") => Some("write `list<tuple<key, value>>`"),
                TypeError::Unsupported("fixed-length list") => {
                    Some("write `list<…>` without a length")
                }
                TypeError::Unsupported("stream" | "future") => {
                    Some("write `list<…>`, or a function that gives a part")
                }
                _ => None,
            };
            let mut fault = Fault::new(error.to_string());
            fault.hint = hint.map(str::to_owned);
            self.refuse(span, fault);
        }
    }

    /// Two names of WIT can become one name of Rust: `a-1` and `a1`, `foo` and `FOO`. The parser lets even one name stand
    /// twice in a record, a variant, an enum, flags or parameters.
    fn unique(&mut self, names: &mut Names, what: &str, name: &str, rust: String, span: Span) {
        if let Some(other) = names.0.get(&rust) {
            let message = if other == name {
                format!("two {what} have the name `{name}`")
            } else {
                format!("the {what} `{other}` and `{name}` have the same name in Rust: `{rust}`")
            };
            self.refuse(span, Fault::new(message).hint("rename one of them"));
            return;
        }
        names.0.insert(rust, name.to_owned());
    }

    fn refuse(&mut self, span: Span, fault: Fault) {
        let place = self
            .parsed
            .place(span)
            .unwrap_or_else(|| world_place(self.parsed, self.world));
        self.push(fault.at(place));
    }

    /// Two holes can share an interface, and a named type stands in many functions: its fault is told once.
    fn push(&mut self, fault: Fault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// Names of Rust with the name of WIT that they come from.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

/// As the bindings generator spells functions and modules.
fn snake(name: &str) -> String {
    name.replace('-', "_").to_lowercase()
}

/// As the bindings generator spells types.
fn camel(name: &str) -> String {
    name.split('-')
        .map(|word| {
            let mut characters = word.chars();
            characters.next().map_or_else(String::new, |first| {
                first
                    .to_uppercase()
                    .chain(characters.flat_map(char::to_lowercase))
                    .collect()
            })
        })
        .collect()
}
