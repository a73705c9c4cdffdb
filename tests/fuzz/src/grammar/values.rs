//! Literals, and the same kinds of values as JSON.

use serde_json::{Value as Json, json};

use super::Writer;
use crate::random::Random;
use crate::world::{Shape, Ty, World};

/// Contents of string literals, as source has them.
const TEXTS: [&str; 13] = [
    "",
    "a",
    "one two",
    "ä ö ü",
    "line\\nline",
    "{}",
    "\\u{1F600}",
    "/*",
    "//",
    "\\\"quoted\\\"",
    "r#",
    "}",
    "🦀",
];

const CHARACTERS: [&str; 6] = ["'a'", "'ß'", "'\\n'", "'\\''", "'\\u{1F600}'", "'{'"];

impl Writer<'_> {
    /// A literal of the type, without calls.
    pub(super) fn literal(&mut self, ty: &Ty, depth: u32) -> String {
        let world = self.world;
        match ty {
            Ty::Bool => self.random.pick(&["true", "false"]).to_string(),
            Ty::Int(name) => {
                let number = match *name {
                    "i8" | "u8" => self.random.between(0, 127),
                    _ => self.random.between(0, 9999),
                };
                format!("{number}{name}")
            }
            Ty::Float(name) => {
                self.random
                    .pick(&["0.0", "1.5", "-2.25", "1e9", "0.1"])
                    .to_string()
                    + name
            }
            Ty::Char => self.random.pick(&CHARACTERS).to_string(),
            Ty::String => self.text(),
            Ty::List(inner) => {
                if depth == 0 || self.random.chance(30) {
                    return "Vec::new()".to_owned();
                }
                let count = self.random.between(1, 3);
                let parts: Vec<String> = (0..count)
                    .map(|_| self.expression(inner, depth - 1))
                    .collect();
                format!("vec![{}]", parts.join(", "))
            }
            Ty::Option(inner) => {
                if depth == 0 || self.random.chance(35) {
                    return "None".to_owned();
                }
                format!("Some({})", self.expression(inner, depth - 1))
            }
            Ty::Result(ok, err) => {
                let good = self.random.chance(70);
                let (case, inner) = if good { ("Ok", ok) } else { ("Err", err) };
                let inner = match inner {
                    Some(inner) => self.expression(inner, depth.saturating_sub(1)),
                    None => "()".to_owned(),
                };
                format!("{case}({inner})")
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|ty| self.expression(ty, depth.saturating_sub(1)))
                    .collect();
                format!("({},)", parts.join(", "))
            }
            Ty::Named(index) => {
                let named = &world.types[*index];
                self.named(&named.path, &named.shape, depth)
            }
            Ty::Own(_) | Ty::Borrow(_) | Ty::Other => "todo!()".to_owned(),
        }
    }

    pub(super) fn text(&mut self) -> String {
        let text = *self.random.pick(&TEXTS);
        match self.random.between(0, 5) {
            0 => format!("\"{text}\".to_owned()"),
            1 => format!("String::from(\"{text}\")"),
            2 => format!("\"{text}\".into()"),
            3 => "String::new()".to_owned(),
            4 => "r##\"a \"# b\"##.to_string()".to_owned(),
            _ => format!("\"{text}\".to_string()"),
        }
    }

    fn named(&mut self, path: &str, shape: &Shape, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match shape {
            Shape::Record(fields) => {
                let mut parts: Vec<String> = Vec::new();
                for (name, ty) in fields {
                    let value = self.expression(ty, depth);
                    parts.push(format!("{name}: {value}"));
                }
                if self.flawed(10) {
                    parts.pop();
                }
                if self.flawed(10) {
                    parts.push("surplus: 1".to_owned());
                }
                format!("{path} {{ {} }}", parts.join(", "))
            }
            Shape::Variant(cases) => {
                let (name, payload) = self.random.pick(cases).clone();
                match payload {
                    Some(payload) => {
                        format!("{path}::{name}({})", self.expression(&payload, depth))
                    }
                    None => format!("{path}::{name}"),
                }
            }
            Shape::Enum(cases) => {
                let case = self.random.pick(cases).clone();
                format!("{path}::{case}")
            }
            Shape::Flags(names) => {
                let (one, two) = (
                    self.random.pick(names).clone(),
                    self.random.pick(names).clone(),
                );
                match self.random.between(0, 3) {
                    0 => format!("{path}::{one}"),
                    1 => format!("{path}::empty()"),
                    2 => format!("{path}::all()"),
                    _ => format!("({path}::{one} | {path}::{two})"),
                }
            }
            Shape::Resource => "todo!()".to_owned(),
        }
    }
}

/// A value of the type in its JSON form.
pub(super) fn json(world: &World, random: &mut Random, ty: &Ty, depth: u32) -> Json {
    let next = depth.saturating_sub(1);
    match ty {
        Ty::Bool => json!(random.chance(50)),
        Ty::Int("u8" | "i8") => json!(random.between(0, 127)),
        Ty::Int(_) => json!(random.between(0, 30_000)),
        Ty::Float(_) => json!(*random.pick(&[0.0, 0.5, -1.25, 1e6])),
        Ty::Char => json!(*random.pick(&["a", "ß", "🦀"])),
        Ty::String => json!(*random.pick(&["", "a", "two words", "ä", "12", "{\"k\": 1}"])),
        Ty::List(inner) => {
            let count = if depth == 0 { 0 } else { random.between(0, 3) };
            (0..count)
                .map(|_| json(world, random, inner, next))
                .collect()
        }
        Ty::Option(inner) => {
            if depth == 0 || random.chance(40) {
                return Json::Null;
            }
            let value = json(world, random, inner, next);
            if matches!(**inner, Ty::Option(_)) {
                json!({ "some": value })
            } else {
                value
            }
        }
        Ty::Result(ok, err) => {
            let (case, inner) = if random.chance(70) {
                ("ok", ok)
            } else {
                ("err", err)
            };
            let value = inner
                .as_ref()
                .map_or(Json::Null, |inner| json(world, random, inner, next));
            json!({ case: value })
        }
        Ty::Tuple(parts) => parts
            .iter()
            .map(|ty| json(world, random, ty, next))
            .collect(),
        Ty::Named(index) => shape(world, random, &world.types[*index].shape, next),
        Ty::Own(_) | Ty::Borrow(_) => json!(format!("@{}", random.between(1, 5))),
        Ty::Other => Json::Null,
    }
}

fn shape(world: &World, random: &mut Random, shape: &Shape, depth: u32) -> Json {
    match shape {
        // The names here are Rust's; a name with a dash makes the value one that does not fit, which is a case too.
        Shape::Record(fields) => {
            let fields = fields.iter().map(|(name, ty)| {
                (
                    name.trim_end_matches('_').replace('_', "-"),
                    json(world, random, ty, depth),
                )
            });
            Json::Object(fields.collect())
        }
        Shape::Variant(cases) => {
            let (name, payload) = random.pick(cases).clone();
            let payload = payload.map_or(Json::Null, |ty| json(world, random, &ty, depth));
            json!({ kebab(&name): payload })
        }
        Shape::Enum(cases) => json!(kebab(random.pick::<String>(cases))),
        Shape::Flags(names) => {
            let names = random.some(names, 0);
            names
                .iter()
                .map(|name| name.replace('_', "-").to_lowercase())
                .collect()
        }
        Shape::Resource => Json::Null,
    }
}

/// `MovedTo` → `moved-to`.
fn kebab(camel: &str) -> String {
    let mut name = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
