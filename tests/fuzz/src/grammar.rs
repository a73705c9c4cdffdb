//! Snippets that are accepted more often than not: typed expressions over what a hole has in scope.
//!
//! Every expression is made for a type, from variables, literals, calls of granted functions, control flow, closures,
//! iterators and the helpers of [`items`]. A snippet may be given flaws: places where what is written does not fit.

mod calls;
mod expressions;
mod items;
mod statements;
mod values;

use crate::random::Random;
use crate::world::{Export, Ty, World};
use items::Helper;

/// How a snippet is to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish {
    /// Places that do not fit.
    pub flaws: u32,
    /// Items that a snippet must have, so that others can be put beside them.
    pub whole: bool,
}

/// Writes one snippet for the hole.
pub fn snippet(world: &World, random: &mut Random, wish: Wish) -> String {
    let mut writer = Writer {
        world,
        random,
        flaws: wish.flaws,
        variables: Vec::new(),
        helpers: Vec::new(),
        next: 0,
        room: 60,
    };
    writer.snippet(wish.whole)
}

/// Arguments for the one exported function as JSON, if it can be called that way.
pub fn arguments(world: &World, random: &mut Random) -> Option<serde_json::Value> {
    let [export] = world.exports.as_slice() else {
        return None;
    };
    if world.exports_resource {
        return None;
    }
    let mut object = serde_json::Map::new();
    for (name, (_, ty)) in export.wit_parameters.iter().zip(&export.parameters) {
        object.insert(name.clone(), values::json(world, random, ty, 3));
    }
    Some(object.into())
}

/// `answers.json` for the `stub` provider: an answer for every imported function that has one.
pub fn answers(world: &World, random: &mut Random) -> String {
    let mut object = serde_json::Map::new();
    for function in &world.functions {
        if let Some(result) = &function.result {
            object.insert(function.key.clone(), values::json(world, random, result, 3));
        }
    }
    serde_json::Value::Object(object).to_string()
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Ty,
}

struct Writer<'a> {
    world: &'a World,
    random: &'a mut Random,
    flaws: u32,
    variables: Vec<Variable>,
    helpers: Vec<Helper>,
    next: u32,
    /// Expressions that may still be written: bounds the size of a snippet.
    room: u32,
}

impl Writer<'_> {
    fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn snippet(&mut self, whole: bool) -> String {
        let bare = !whole
            && self.world.exports.len() == 1
            && !self.world.exports_resource
            && self.random.chance(35);
        let mut text = String::new();
        let wanted = self.random.between(0, 3);
        for _ in 0..wanted {
            let (items, helper) = self.helper();
            text.push_str(&items);
            text.push('\n');
            self.helpers.push(helper);
        }
        if bare {
            let export = &self.world.exports[0];
            text.push_str(&self.body(export));
            return text;
        }
        if self.world.exports_resource {
            text.push_str(&self.resource());
        }
        for export in &self.world.exports {
            self.room = 50;
            let mut parameters = String::new();
            for (name, ty) in &export.parameters {
                let ty = self.world.rust(ty, "");
                parameters.push_str(&format!("{name}: {ty}, "));
            }
            let result = export
                .result
                .as_ref()
                .map_or_else(String::new, |ty| format!(" -> {}", self.world.rust(ty, "")));
            if self.world.exports_resource {
                // The one function of `counters`, whose parameter is a borrow of the own resource.
                text.push_str(
                    "pub fn total(a: CounterBorrow<'_>) -> u32 { a.get::<It>().0.get() }\n",
                );
                continue;
            }
            let body = self.body(export);
            text.push_str(&format!(
                "pub fn {}({parameters}){result} {{{body}}}\n",
                export.name
            ));
        }
        text
    }

    /// The statements of a function that is to be written.
    fn body(&mut self, export: &Export) -> String {
        self.variables = export
            .parameters
            .iter()
            .map(|(name, ty)| Variable {
                name: name.clone(),
                ty: ty.clone(),
            })
            .collect();
        let mut text = String::from("\n");
        for _ in 0..self.random.between(0, 4) {
            let statement = self.statement(2);
            text.push_str(&statement);
            text.push('\n');
        }
        if let Some(ty) = &export.result {
            let tail = self.expression(ty, 4);
            text.push_str(&tail);
            text.push('\n');
        }
        self.variables.clear();
        text
    }

    /// The exported resource of `interface counters`.
    fn resource(&mut self) -> String {
        let step = self.random.between(1, 9);
        format!(
            "pub struct It(std::cell::Cell<u32>);
impl GuestCounter for It {{
    fn new(start: u32) -> Self {{ It(std::cell::Cell::new(start)) }}
    fn add(&self, n: u32) -> u32 {{ self.0.set(self.0.get().wrapping_add(n * {step})); self.0.get() }}
    fn more(&self, text: String) -> u32 {{ text.len() as u32 }}
}}\n"
        )
    }
}
