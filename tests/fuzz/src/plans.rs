//! Random plans that can be filled: interfaces with functions over all value types, resources, named imports, partial
//! grants, built-in capabilities, exported functions and interfaces.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

/// The files of a plan, by name; the world is called `hole`.
#[derive(Clone, Debug)]
pub struct PlanFiles {
    /// Where it comes from.
    pub origin: Origin,
    /// Name and content; names may have folders in them.
    pub files: Vec<(String, String)>,
}

/// Where a plan comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// [`generate`].
    Own,
    /// `wit-smith`.
    Smith,
    /// A folder of `tests/cases`.
    Case(String),
}

impl PlanFiles {
    /// The content of one file.
    pub fn file(&self, name: &str) -> Option<&str> {
        let found = self.files.iter().find(|(file, _)| file == name);
        found.map(|(_, content)| content.as_str())
    }
}

/// Limits that let bombs end soon: a run of thousands of cases must not wait for each of them.
pub const LIMITS: &str = "[budget]
attempts = 1
[limits]
rustc-cpu = \"6s\"
rustc-wall = \"10s\"
fuel = 300000000
wall = \"5s\"
host-calls = 200
";

/// Folder of the model's answers, relative to the plan.
pub const RECORDED: &str = "recorded";

/// Folder beside the plan that `lacuna:fs` is granted on.
pub const DATA: &str = "data";

const INTERFACES: [&str; 12] = [
    "repo",
    "mail",
    "store",
    "bus",
    "shop",
    "calc",
    "queue",
    "tickets",
    "audit-log",
    "search",
    "ledger",
    "tool",
];
const LABELS: [&str; 8] = [
    "left",
    "right",
    "primary",
    "backup",
    "inner-one",
    "second",
    "other",
    "alpha",
];
const FUNCTIONS: [&str; 24] = [
    "read-text",
    "write",
    "send",
    "find",
    "list-all",
    "get",
    "put",
    "emit",
    "count",
    "lookup",
    "move-to",
    "sum-up",
    "next",
    "title",
    "has",
    "check",
    "parse-it",
    "merge",
    "head",
    "describe",
    "price",
    "rename",
    "flush",
    "poll",
];
const RECORDS: [&str; 8] = [
    "point",
    "item",
    "entry",
    "node-info",
    "person",
    "order",
    "line",
    "page",
];
const VARIANTS: [&str; 6] = ["event", "shape", "outcome", "token", "answer", "step"];
const ENUMS: [&str; 6] = ["color", "level", "kind", "state", "unit", "side"];
const FLAGS: [&str; 4] = ["perms", "modes", "marks", "options"];
const RESOURCES: [&str; 5] = ["session", "file", "cursor", "lease", "account"];
const FIELDS: [&str; 16] = [
    "name", "x", "y", "qty", "tags", "born", "note", "max-len", "inner", "at", "label", "id",
    "size", "ok-count", "ratio", "type",
];
const CASES: [&str; 12] = [
    "added", "removed", "cleared", "moved-to", "circle", "square", "num", "word", "stop", "again",
    "failed", "empty",
];
const NAMES: [&str; 10] = [
    "red", "green", "blue", "high", "low", "mid-way", "read", "write", "up", "down",
];
const PARAMETERS: [&str; 12] = [
    "a",
    "b",
    "text",
    "n",
    "items",
    "path",
    "since",
    "max-count",
    "value",
    "key",
    "kind-of",
    "self-id",
];
const PRIMITIVES: [&str; 13] = [
    "bool", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "char", "string",
];
/// Functions of `lacuna:fs/read` that a cut may keep.
const FS_READ: [&str; 5] = ["read-text", "read", "entries", "glob", "metadata"];

/// A name that WIT takes: its keywords need a `%`.
fn wit(name: &str) -> String {
    if matches!(name, "type" | "record" | "list") {
        format!("%{name}")
    } else {
        name.to_owned()
    }
}

/// Types that stand in scope while an interface or a world is written.
#[derive(Clone, Default)]
struct Names {
    /// Plain types.
    values: Vec<String>,
    /// Resources.
    resources: Vec<String>,
}

struct Writer<'a> {
    random: &'a mut Random,
    /// Type names that are taken anywhere: one name means one type, whoever shows it.
    taken: BTreeSet<String>,
}

/// A plan from a generator's state.
pub fn generate(random: &mut Random) -> PlanFiles {
    let mut text = String::new();
    let mut manifest = format!(
        "schema = 1\n{LIMITS}[models.default]\nprovider = \"replay\"\ndir = \"{RECORDED}\"\n"
    );
    let version = random.pick(&["", "@0.1.0", "@1.2.3"]).to_owned();
    let package = random
        .pick(&["fz:plan", "demo:holes", "t:h", "acme:flow-two"])
        .to_owned();
    let _ = writeln!(text, "package {package}{version};\n");
    let mut writer = Writer {
        random,
        taken: BTreeSet::new(),
    };

    let shared = writer.types(&mut text);
    let interfaces = writer.interfaces(&mut text, &shared);
    let mut world = String::new();
    if !shared.values.is_empty() {
        let _ = writeln!(world, "  use kinds.{{{}}};", shared.values.join(", "));
    }
    let own = writer.world_types(&mut world);
    let mut visible = shared.clone();
    visible.values.extend(own.values);

    writer.imports(&mut world, &mut manifest, &interfaces, &visible);
    let exported = writer.exports(&mut world, &visible);
    text.push_str(&exported);
    if writer.random.chance(30) {
        writer.another_world(&mut text);
    }
    let _ = writeln!(text, "/// Do what the types say.\nworld hole {{\n{world}}}");
    PlanFiles {
        origin: Origin::Own,
        files: vec![
            ("plan.wit".to_owned(), text),
            ("lacuna.toml".to_owned(), manifest),
            (format!("{DATA}/a.txt"), "one\ntwo\n".to_owned()),
        ],
    }
}

/// An interface and the functions that a grant may name.
struct Interface {
    name: String,
    functions: Vec<String>,
}

impl Writer<'_> {
    /// A name that nothing has yet.
    fn fresh(&mut self, of: &[&str]) -> Option<String> {
        let free: Vec<&str> = of
            .iter()
            .copied()
            .filter(|name| !self.taken.contains(*name))
            .collect();
        if free.is_empty() {
            return None;
        }
        let name = (*self.random.pick(&free)).to_owned();
        self.taken.insert(name.clone());
        Some(name)
    }

    /// `interface kinds`, whose types the world and the interfaces use.
    fn types(&mut self, text: &mut String) -> Names {
        let mut names = Names::default();
        if self.random.chance(25) {
            return names;
        }
        text.push_str("interface kinds {\n");
        for _ in 0..self.random.between(1, 4) {
            self.type_definition(text, &mut names);
        }
        text.push_str("}\n\n");
        names
    }

    fn world_types(&mut self, text: &mut String) -> Names {
        let mut names = Names::default();
        if self.random.chance(30) {
            self.type_definition(text, &mut names);
        }
        names
    }

    /// A second hole, of which the first must see nothing.
    fn another_world(&mut self, text: &mut String) {
        let mut body = String::new();
        let names = self.world_types(&mut body);
        let signature = self.signature(&names);
        let _ = writeln!(
            text,
            "world other {{\n{body}  export go: {signature};\n}}\n"
        );
    }

    fn type_definition(&mut self, text: &mut String, names: &mut Names) {
        let shape = self.random.between(0, 9);
        let of: &[&str] = match shape {
            0..=3 => &RECORDS,
            4..=6 => &VARIANTS,
            7 | 8 => &ENUMS,
            _ => &FLAGS,
        };
        let Some(name) = self.fresh(of) else { return };
        let parts = self.random.between(1, 4);
        let _ = match shape {
            0..=3 => {
                let fields = self.random.some(&FIELDS, 1);
                let mut body = String::new();
                for field in fields.iter().take(parts) {
                    let _ = write!(body, "{}: {}, ", wit(field), self.value_type(names, 2));
                }
                writeln!(text, "  record {name} {{ {body}}}")
            }
            4..=6 => {
                let cases = self.random.some(&CASES, 2);
                let mut body = String::new();
                for case in cases.iter().take(parts + 1) {
                    if self.random.chance(60) {
                        let _ = write!(body, "{case}({}), ", self.value_type(names, 2));
                    } else {
                        let _ = write!(body, "{case}, ");
                    }
                }
                writeln!(text, "  variant {name} {{ {body}}}")
            }
            7 | 8 => {
                let cases = self.random.some(&NAMES, 2);
                writeln!(text, "  enum {name} {{ {} }}", cases.join(", "))
            }
            _ => {
                let names = self.random.some(&NAMES, 2);
                writeln!(text, "  flags {name} {{ {} }}", names.join(", "))
            }
        };
        names.values.push(name);
    }

    /// A type without handles.
    fn value_type(&mut self, names: &Names, depth: usize) -> String {
        if !names.values.is_empty() && self.random.chance(30) {
            return self.random.pick(&names.values).clone();
        }
        if depth == 0 || self.random.chance(55) {
            // Text and counts are what plans are made of.
            return match self.random.between(0, 9) {
                0..=3 => "string".to_owned(),
                4..=5 => "u32".to_owned(),
                _ => (*self.random.pick(&PRIMITIVES)).to_owned(),
            };
        }
        let inner = |writer: &mut Self| writer.value_type(names, depth - 1);
        match self.random.between(0, 9) {
            0..=3 => format!("list<{}>", inner(self)),
            4..=5 => format!("option<{}>", inner(self)),
            6 => format!("tuple<{}, {}>", inner(self), inner(self)),
            7 => "result".to_owned(),
            8 => format!("result<{}, {}>", inner(self), inner(self)),
            _ => format!("result<_, {}>", inner(self)),
        }
    }

    fn signature(&mut self, names: &Names) -> String {
        let mut parameters = String::new();
        let wanted = self.random.between(0, 3);
        for name in self.random.some(&PARAMETERS, wanted).iter().take(wanted) {
            let ty = if !names.resources.is_empty() && self.random.chance(35) {
                let resource = self.random.pick(&names.resources).clone();
                if self.random.chance(70) {
                    format!("borrow<{resource}>")
                } else {
                    resource
                }
            } else {
                self.value_type(names, 2)
            };
            let _ = write!(parameters, "{name}: {ty}, ");
        }
        let parameters = parameters.trim_end_matches(", ").to_owned();
        let result = match self.random.between(0, 9) {
            0..=1 => String::new(),
            2..=3 if !names.resources.is_empty() => {
                format!(" -> {}", self.random.pick(&names.resources))
            }
            2..=4 => format!(" -> result<{}, string>", self.value_type(names, 1)),
            _ => format!(" -> {}", self.value_type(names, 2)),
        };
        format!("func({parameters}){result}")
    }

    fn interfaces(&mut self, text: &mut String, shared: &Names) -> Vec<Interface> {
        let mut all = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let Some(name) = self.fresh(&INTERFACES) else {
                continue;
            };
            let _ = writeln!(text, "interface {name} {{");
            let mut names = Names::default();
            if !shared.values.is_empty() && self.random.chance(70) {
                names.values = self.random.some(&shared.values, 1);
                let _ = writeln!(text, "  use kinds.{{{}}};", names.values.join(", "));
            }
            if self.random.chance(30) {
                self.type_definition(text, &mut names);
            }
            let mut functions = Vec::new();
            if self.random.chance(25) {
                self.resource(text, &mut names, &mut functions);
            }
            let wanted = self.random.between(1, 5);
            for function in self.random.some(&FUNCTIONS, wanted).iter().take(wanted) {
                let _ = writeln!(text, "  {function}: {};", self.signature(&names));
                functions.push((*function).to_owned());
            }
            text.push_str("}\n\n");
            all.push(Interface { name, functions });
        }
        all
    }

    fn resource(&mut self, text: &mut String, names: &mut Names, functions: &mut Vec<String>) {
        let Some(name) = self.fresh(&RESOURCES) else {
            return;
        };
        let _ = writeln!(text, "  resource {name} {{");
        if self.random.chance(80) {
            let parameter = self.value_type(names, 1);
            let _ = writeln!(text, "    constructor(key: {parameter});");
            functions.push(format!("{name}.constructor"));
        }
        names.resources.push(name.clone());
        for (method, kind) in [("size-of", ""), ("close", ""), ("open-all", "static ")] {
            if self.random.chance(60) {
                let signature = self.signature(names);
                let _ = writeln!(text, "    {method}: {kind}{signature};");
                functions.push(format!("{name}.{method}"));
            }
        }
        text.push_str("  }\n");
    }

    fn imports(
        &mut self,
        world: &mut String,
        manifest: &mut String,
        interfaces: &[Interface],
        visible: &Names,
    ) {
        for interface in interfaces {
            let twice = self.random.chance(25);
            if twice || self.random.chance(30) {
                if let Some(label) = self.fresh(&LABELS) {
                    let _ = writeln!(world, "  import {label}: {};", interface.name);
                    self.grant(manifest, &label, &interface.functions);
                }
                if !twice {
                    continue;
                }
            }
            let _ = writeln!(world, "  import {};", interface.name);
            self.grant(manifest, &interface.name, &interface.functions);
        }
        if self.random.chance(20) {
            world.push_str("  import files: lacuna:fs/read@0.1.0;\n");
            let some = self.random.some(&FS_READ, 1);
            let _ = writeln!(
                manifest,
                "[hole.hole.grant.files]\npath = \"{DATA}\"\nfunctions = [\"{}\"]",
                some.join("\", \"")
            );
        }
        if self.random.chance(20) {
            let _ = writeln!(world, "  import tell: {};", self.signature(visible));
            manifest.push_str(
                "[hole.hole.grant.tell]\nprovider = \"stub\"\nanswers = \"answers.json\"\n",
            );
        }
        if self.random.chance(15) {
            let plain = Names::default();
            let (one, two) = (self.signature(&plain), self.signature(&plain));
            let _ = writeln!(
                world,
                "  import inline-one: interface {{ ping: {one}; pong: {two}; }}"
            );
            self.grant(
                manifest,
                "inline-one",
                &["ping".to_owned(), "pong".to_owned()],
            );
        }
    }

    fn grant(&mut self, manifest: &mut String, key: &str, functions: &[String]) {
        let _ = writeln!(
            manifest,
            "[hole.hole.grant.{key}]\nprovider = \"stub\"\nanswers = \"answers.json\""
        );
        if self.random.chance(65) {
            let some = self.random.some(functions, 1);
            let _ = writeln!(manifest, "functions = [\"{}\"]", some.join("\", \""));
        }
    }

    /// Writes the exports into the world; returns interfaces that must stand outside of it.
    fn exports(&mut self, world: &mut String, visible: &Names) -> String {
        let values = Names {
            resources: Vec::new(),
            ..visible.clone()
        };
        match self.random.between(0, 19) {
            0..=13 => {
                let _ = writeln!(world, "  export run: {};", self.signature(&values));
                String::new()
            }
            14..=15 => {
                for name in ["first-one", "second-one"] {
                    let _ = writeln!(world, "  export {name}: {};", self.signature(&values));
                }
                String::new()
            }
            16..=17 => {
                world.push_str("  export job;\n");
                let plain = Names::default();
                let (one, two) = (self.signature(&plain), self.signature(&plain));
                format!("interface job {{\n  start: {one};\n  finish: {two};\n}}\n\n")
            }
            _ => {
                world.push_str("  export counters;\n");
                "interface counters {
  resource counter {
    constructor(start: u32);
    add: func(n: u32) -> u32;
    more: func(text: string) -> u32;
  }
  total: func(a: borrow<counter>) -> u32;
}

"
                .to_owned()
            }
        }
    }
}
