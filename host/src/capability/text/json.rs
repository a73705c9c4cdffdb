//! `lacuna:text/json`, by the crate `serde_json`.
//!
//! A text is checked once, whole, and then walked as slices of itself ([`RawValue`]): numbers stay as they are written, no
//! tree is built, and a member's order and repetition is what the text has. Where a name stands twice the last one is the
//! member, as `serde_json` has it.

mod visit;
pub(super) mod write;

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::Deserializer;
use serde_json::Value as Json;
use serde_json::json;
use serde_json::value::RawValue;
use wasmtime::component::{ComponentType, Lift, LinkerInstance, Lower};

use super::place::place;
use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Crossing, Site};
use crate::capability::compute::{self, Answer, Refusal, Size, fallible, infallible};
use crate::capability::host::Host;
use crate::trace;
use visit::{Elements, Members, Text, goes_on};

/// How deep arrays and objects may lie in each other; each level is read once more.
const MAX_DEPTH: usize = 128;

/// `node`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(super) enum Node {
    #[component(name = "null")]
    Null,
    #[component(name = "boolean")]
    Boolean(bool),
    #[component(name = "number")]
    Number(String),
    #[component(name = "text")]
    Text(String),
    #[component(name = "array")]
    Array(Vec<u32>),
    #[component(name = "object")]
    Object(Vec<(String, u32)>),
}

impl Crossing for Vec<Node> {
    fn bytes(&self) -> u64 {
        let inside = |node: &Node| match node {
            Node::Null | Node::Boolean(_) => 0,
            Node::Number(text) | Node::Text(text) => text.len(),
            Node::Array(items) => size_of_val(items.as_slice()),
            Node::Object(members) => members
                .iter()
                .map(|(name, _)| size_of::<(String, u32)>() + name.len())
                .sum(),
        };
        self.iter()
            .map(|node| (size_of::<Node>() + inside(node)) as u64)
            .sum()
    }

    fn report(&self) -> Json {
        self.iter()
            .map(|node| match node {
                Node::Null => json!({ "null": null }),
                Node::Boolean(value) => json!({ "boolean": value }),
                Node::Number(text) => json!({ "number": trace::text(text) }),
                Node::Text(text) => json!({ "text": trace::text(text) }),
                Node::Array(items) => json!({ "array": items.report() }),
                Node::Object(members) => json!({ "object": members }),
            })
            .collect()
    }
}

pub(super) fn define(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    function: &str,
) -> Result<(), CapabilityError> {
    match function {
        "get" => fallible(target, site, get),
        "items" => fallible(target, site, items),
        "keys" => fallible(target, site, keys),
        "table" => fallible(target, site, table),
        "parse" => fallible(target, site, parse),
        "quote" => infallible(target, site, |(text,): &(String,)| write::quote(text)),
        "format" => fallible(target, site, |(text, indent): &(String, u32), bounds| {
            write::format(&Document::read(text)?, *indent, &mut Size::new(bounds))
        }),
        _ => Err(compute::unknown(&site)),
    }
}

/// A text that is JSON.
pub(super) struct Document<'a> {
    text: &'a str,
    root: &'a RawValue,
}

/// A value of it by its text.
pub(super) type Part<'a> = &'a RawValue;

impl<'a> Document<'a> {
    /// Checks the whole text.
    pub(super) fn read(text: &'a str) -> Answer<Self> {
        let root = serde_json::from_str(text).map_err(|error| {
            // serde_json counts columns in bytes, from 0 where the line's end itself is meant.
            let before = text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1));
            let line: usize = before.map(str::len).sum();
            let index = (line + error.column()).saturating_sub(1);
            let (line, column) = place(text, index);
            let words = error.to_string();
            let what = words.split(" at line ").next().unwrap_or_default();
            Refusal::Error(format!("not JSON: line {line}, column {column}: {what}"))
        })?;
        Ok(Self { text, root })
    }

    /// A part of this text that can't be read although the whole could: a text with half of a surrogate pair.
    fn fault(&self, part: Part<'_>, error: &serde_json::Error) -> Refusal {
        let index = part.get().as_ptr().addr() - self.text.as_ptr().addr();
        let (line, column) = place(self.text, index);
        let words = error.to_string();
        let what = words.split(" at line ").next().unwrap_or_default();
        Refusal::Error(format!("not JSON: line {line}, column {column}: {what}"))
    }

    /// Calls `each` with the elements of an array, until it says that it has enough.
    fn elements(
        &self,
        part: Part<'a>,
        mut each: impl FnMut(Part<'a>) -> Answer<bool>,
    ) -> Answer<()> {
        let mut end = None;
        let visitor = Elements(|element| goes_on(each(element), &mut end));
        let done = deserializer(part).deserialize_seq(visitor);
        self.ended(part, end, done)
    }

    /// Calls `each` with the members of an object, until it says that it has enough.
    fn members(
        &self,
        part: Part<'a>,
        mut each: impl FnMut(Cow<'a, str>, Part<'a>) -> Answer<bool>,
    ) -> Answer<()> {
        let mut end = None;
        let visitor = Members(|name, value| goes_on(each(name, value), &mut end));
        let done = deserializer(part).deserialize_map(visitor);
        self.ended(part, end, done)
    }

    fn ended(
        &self,
        part: Part<'a>,
        end: Option<Answer<()>>,
        done: Result<(), serde_json::Error>,
    ) -> Answer<()> {
        match (end, done) {
            (Some(end), _) => end,
            (None, Ok(())) => Ok(()),
            (None, Err(error)) => Err(self.fault(part, &error)),
        }
    }

    /// The value as text: a string without quotes, anything else as it stands.
    fn text_of(&self, part: Part<'a>) -> Answer<Cow<'a, str>> {
        if kind(part) != Kind::Text {
            return Ok(Cow::Borrowed(part.get()));
        }
        let text: Text<'a> =
            serde_json::from_str(part.get()).map_err(|error| self.fault(part, &error))?;
        Ok(text.0)
    }

    /// The value that a pointer means.
    fn find(&self, pointer: &str) -> Answer<Option<Part<'a>>> {
        self.below(self.root, pointer)
    }

    fn below(&self, from: Part<'a>, pointer: &str) -> Answer<Option<Part<'a>>> {
        if pointer.is_empty() {
            return Ok(Some(from));
        }
        let Some(path) = pointer.strip_prefix('/') else {
            return Err(format!(
                "`{pointer}` is no pointer: write `/{pointer}`, or `\"\"` for the whole"
            )
            .into());
        };
        let mut part = from;
        for (depth, token) in path.split('/').enumerate() {
            if depth >= MAX_DEPTH {
                return Err(format!("the pointer is deeper than {MAX_DEPTH}").into());
            }
            let name = token.replace("~1", "/").replace("~0", "~");
            match self.step(part, &name)? {
                Some(found) => part = found,
                None => return Ok(None),
            }
        }
        Ok(Some(part))
    }

    fn step(&self, part: Part<'a>, name: &str) -> Answer<Option<Part<'a>>> {
        let mut found = None;
        match kind(part) {
            Kind::Object => self.members(part, |member, value| {
                if member == name {
                    found = Some(value);
                }
                Ok(true)
            })?,
            Kind::Array => {
                let digits = name.bytes().all(|byte| byte.is_ascii_digit());
                let mut left = match name.parse::<usize>() {
                    Ok(index) if digits && (name == "0" || !name.starts_with('0')) => index,
                    _ => return Ok(None),
                };
                self.elements(part, |element| {
                    if left == 0 {
                        found = Some(element);
                        return Ok(false);
                    }
                    left -= 1;
                    Ok(true)
                })?;
            }
            _ => {}
        }
        Ok(found)
    }

    /// What a pointer means, which must be of that kind.
    fn find_kind(&self, pointer: &str, wanted: Kind) -> Answer<Part<'a>> {
        let part = self
            .find(pointer)?
            .ok_or_else(|| format!("nothing is at `{pointer}`"))?;
        if kind(part) != wanted {
            let found = kind(part).name();
            return Err(format!("`{pointer}` is {found}, not {}", wanted.name()).into());
        }
        Ok(part)
    }
}

pub(super) fn get((text, pointer): &(String, String), bounds: &Bounds) -> Answer<Option<String>> {
    let document = Document::read(text)?;
    let Some(part) = document.find(pointer)? else {
        return Ok(None);
    };
    Size::new(bounds).add(part.get().len())?;
    match kind(part) {
        Kind::Null => Ok(None),
        _ => Ok(Some(document.text_of(part)?.into_owned())),
    }
}

pub(super) fn items((text, pointer): &(String, String), bounds: &Bounds) -> Answer<Vec<String>> {
    let document = Document::read(text)?;
    let array = document.find_kind(pointer, Kind::Array)?;
    let (mut size, mut items) = (Size::new(bounds), Vec::new());
    document.elements(array, |element| {
        let text = document.text_of(element)?;
        size.add(size_of::<String>() + text.len())?;
        items.push(text.into_owned());
        Ok(true)
    })?;
    Ok(items)
}

pub(super) fn keys((text, pointer): &(String, String), bounds: &Bounds) -> Answer<Vec<String>> {
    let document = Document::read(text)?;
    let object = document.find_kind(pointer, Kind::Object)?;
    let (mut size, mut keys) = (Size::new(bounds), Vec::new());
    document.members(object, |name, _| {
        size.add(size_of::<String>() + name.len())?;
        keys.push(name.into_owned());
        Ok(true)
    })?;
    Ok(keys)
}

type Row = Vec<Option<String>>;

pub(super) fn table(
    (text, pointer, fields): &(String, String, Vec<String>),
    bounds: &Bounds,
) -> Answer<Vec<Row>> {
    let document = Document::read(text)?;
    let array = document.find_kind(pointer, Kind::Array)?;
    let (mut size, mut rows) = (Size::new(bounds), Vec::new());
    document.elements(array, |element| {
        if kind(element) != Kind::Object {
            let (number, found) = (rows.len(), kind(element).name());
            return Err(
                format!("element {number} of `{pointer}` is {found}, not an object").into(),
            );
        }
        size.add(size_of::<Row>())?;
        let mut row = Row::new();
        for field in fields {
            let part = match field.starts_with('/') {
                true => document.below(element, field)?,
                false => document.step(element, field)?,
            };
            let text = match part.filter(|part| kind(part) != Kind::Null) {
                Some(part) => Some(document.text_of(part)?),
                None => None,
            };
            size.add(size_of::<Option<String>>() + text.as_ref().map_or(0, |text| text.len()))?;
            row.push(text.map(Cow::into_owned));
        }
        rows.push(row);
        Ok(true)
    })?;
    Ok(rows)
}

pub(super) fn parse((text,): &(String,), bounds: &Bounds) -> Answer<Vec<Node>> {
    let document = Document::read(text)?;
    let mut nodes = Vec::new();
    add(
        &document,
        document.root,
        0,
        &mut nodes,
        &mut Size::new(bounds),
    )?;
    Ok(nodes)
}

/// Puts a value and all below it behind the nodes that are there; gives its index.
fn add<'a>(
    document: &Document<'a>,
    part: Part<'a>,
    depth: usize,
    nodes: &mut Vec<Node>,
    size: &mut Size<'_>,
) -> Answer<u32> {
    let index = u32::try_from(nodes.len()).map_err(|_| "the text has too many values")?;
    size.add(size_of::<Node>())?;
    nodes.push(Node::Null);
    let node = match kind(part) {
        Kind::Null => Node::Null,
        Kind::Boolean => Node::Boolean(part.get() == "true"),
        Kind::Number => {
            size.add(part.get().len())?;
            Node::Number(part.get().to_owned())
        }
        Kind::Text => {
            let text = document.text_of(part)?;
            size.add(text.len())?;
            Node::Text(text.into_owned())
        }
        Kind::Array => {
            let (inside, mut items) = (deeper(depth)?, Vec::new());
            document.elements(part, |element| {
                size.add(size_of::<u32>())?;
                items.push(add(document, element, inside, nodes, size)?);
                Ok(true)
            })?;
            Node::Array(items)
        }
        Kind::Object => {
            let (inside, mut members) = (deeper(depth)?, Vec::new());
            document.members(part, |name, value| {
                size.add(size_of::<(String, u32)>() + name.len())?;
                members.push((
                    name.into_owned(),
                    add(document, value, inside, nodes, size)?,
                ));
                Ok(true)
            })?;
            Node::Object(members)
        }
    };
    nodes[index as usize] = node;
    Ok(index)
}

/// One level down.
fn deeper(depth: usize) -> Answer<usize> {
    if depth >= MAX_DEPTH {
        return Err(format!("arrays and objects lie deeper in each other than {MAX_DEPTH}").into());
    }
    Ok(depth + 1)
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    Boolean,
    Number,
    Text,
    Array,
    Object,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A checked value is told by its first byte.
fn kind(part: Part<'_>) -> Kind {
    match part.get().as_bytes().first() {
        Some(b'n') | None => Kind::Null,
        Some(b't' | b'f') => Kind::Boolean,
        Some(b'"') => Kind::Text,
        Some(b'[') => Kind::Array,
        Some(b'{') => Kind::Object,
        Some(_) => Kind::Number,
    }
}

fn deserializer<'a>(part: Part<'a>) -> serde_json::Deserializer<serde_json::de::StrRead<'a>> {
    serde_json::Deserializer::from_str(part.get())
}
