//! Reads an answer strictly: each member stands once, and what is built in memory is counted while it is built.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};

use crate::value::Value;

/// An answer's parts.
#[derive(Debug, Default)]
pub(super) struct Reply {
    pub(super) ok: Option<Json>,
    pub(super) err: Option<Json>,
    pub(super) text: Option<String>,
}

/// Why bytes are no answer.
#[derive(Debug)]
pub(super) enum Wrong {
    /// The value is larger than `crossing`, certainly.
    TooLarge {
        /// The least that it has, bytes.
        used: u64,
    },
    /// It is no JSON, or deeper than any value.
    Syntax { place: String, message: String },
    /// It is JSON of another form.
    Shape { place: String, message: String },
}

/// Reads an answer whose value may have `crossing` bytes.
pub(super) fn read(body: &[u8], crossing: u64) -> Result<Reply, Wrong> {
    let state = State {
        // As JSON a value takes at most twice what it takes as a value of its type: a variant's or a result's case is
        // the name of a member.
        most: crossing.saturating_mul(2).saturating_add(SLACK),
        used: Cell::new(0),
        place: RefCell::default(),
    };
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let read = Answer(&state)
        .deserialize(&mut deserializer)
        .and_then(|reply| deserializer.end().map(|()| reply));
    read.map_err(|error| {
        if state.used.get() > state.most {
            return Wrong::TooLarge {
                used: state.used.get() / 2,
            };
        }
        let place = state.shown();
        let message = error.to_string();
        if error.is_data() {
            // serde_json puts line and column behind it, which say less than the place.
            let end = message.rfind(" at line ").unwrap_or(message.len());
            let message = message[..end].to_owned();
            Wrong::Shape { place, message }
        } else {
            Wrong::Syntax { place, message }
        }
    })
}

/// Steps of a place that are shown, and characters of a member's name.
const STEPS: usize = 12;
const NAME: usize = 40;

/// Bytes that are allowed on top, so that small values are never too large.
const SLACK: u64 = 4096;

struct State {
    most: u64,
    used: Cell<u64>,
    place: RefCell<Vec<Step>>,
}

enum Step {
    Member(String),
    Item(usize),
}

impl State {
    fn charge<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let used = self.used.get().saturating_add(bytes as u64);
        self.used.set(used);
        if used > self.most {
            return Err(E::custom("too large"));
        }
        Ok(())
    }

    fn enter(&self, step: Step) {
        self.place.borrow_mut().push(step);
    }

    fn leave(&self) -> Option<Step> {
        self.place.borrow_mut().pop()
    }

    /// Where reading stands, `ok[3].amount`, as far as a person can follow.
    fn shown(&self) -> String {
        let place = self.place.borrow();
        let mut shown = String::new();
        for step in place.iter().take(STEPS) {
            let _ = match step {
                Step::Item(index) => write!(shown, "[{index}]"),
                Step::Member(name) => {
                    let joint = if shown.is_empty() { "" } else { "." };
                    let short: String = name.chars().take(NAME).collect();
                    let more = if short.len() < name.len() { "…" } else { "" };
                    write!(shown, "{joint}{short}{more}")
                }
            };
        }
        if place.len() > STEPS {
            shown.push('…');
        }
        shown
    }
}

/// The object around the value.
struct Answer<'a>(&'a State);

impl<'de> DeserializeSeed<'de> for Answer<'_> {
    type Value = Reply;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Reply, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = Reply;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `ok` or `err`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Reply, A::Error> {
        let mut reply = Reply::default();
        let mut text = None;
        while let Some(key) = access.next_key::<String>()? {
            let again = match key.as_str() {
                "ok" => reply.ok.is_some(),
                "err" => reply.err.is_some(),
                "text" => text.is_some(),
                _ => false,
            };
            if again {
                return Err(A::Error::custom(format_args!("`{key}` stands twice")));
            }
            self.0.enter(Step::Member(key.clone()));
            match key.as_str() {
                "ok" => reply.ok = Some(access.next_value_seed(Tree(self.0))?),
                "err" => reply.err = Some(access.next_value_seed(Tree(self.0))?),
                "text" => text = Some(access.next_value_seed(Words)?),
                _ => {
                    access.next_value::<IgnoredAny>()?;
                }
            }
            self.0.leave();
        }
        reply.text = text.flatten();
        Ok(reply)
    }
}

/// The beginning of a text for people; anything else is left out.
struct Words;

/// Characters of it that are kept.
const WORDS: usize = 1000;

impl<'de> DeserializeSeed<'de> for Words {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Words {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.chars().take(WORDS).collect()))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// Any JSON.
struct Tree<'a>(&'a State);

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.0.charge(size_of::<Value>())?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        self.0.charge(value.len())?;
        Ok(Json::String(value.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        loop {
            self.0.enter(Step::Item(items.len()));
            let Some(item) = access.next_element_seed(Tree(self.0))? else {
                break;
            };
            self.0.leave();
            items.push(item);
        }
        self.0.leave();
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut members = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            self.0.charge(size_of::<String>() + key.len())?;
            if members.contains_key(&key) {
                return Err(A::Error::custom(format_args!("`{key}` stands twice")));
            }
            self.0.enter(Step::Member(key));
            let value = access.next_value_seed(Tree(self.0))?;
            if let Some(Step::Member(key)) = self.0.leave() {
                members.insert(key, value);
            }
        }
        Ok(Json::Object(members))
    }
}
