//! What a grant allows of one function, beyond its name: rules on arguments, a number of calls, labels, clearance.
//!
//! They are settled here, while the plan is loaded, against the types of the functions; `capability` holds every call
//! to them before it is made.

mod check;
mod path;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use regex::Regex;

use super::keys::{self, written};
use super::provider::Kind;
use super::{Provider, WasiInterface};
use crate::error::Fault;
use crate::labels::Labels;
use crate::plan::manifest::{
    ArgumentRule, GrantConfig, Irreversible, Number, Scalar, Spanned, Test,
};
use crate::plan::{Function, Hole, Import, Plan};
use crate::value::Type;
pub use check::Violation;
use path::Step;

/// The rules of the functions of one grant, by WIT name.
pub type FunctionRules = BTreeMap<String, Arc<Rules>>;

/// What is allowed of one function.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Rules on its arguments; all of them must hold.
    pub arguments: Vec<Condition>,
    /// Most calls of it in one call of the hole.
    pub calls: Option<u64>,
    /// Whether its effects can't be undone.
    pub irreversible: bool,
    /// What its results are.
    pub labels: Labels,
    /// Whether it carries its arguments out.
    pub sends: bool,
    /// Labels of what may be sent through it.
    pub clearance: Labels,
}

/// A rule on one argument, or on a part of it.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Which parameter, from 0.
    parameter: usize,
    /// Its type.
    ty: Type,
    /// As the manifest writes it: `message.to[]`.
    path: String,
    /// The way from the parameter.
    steps: Vec<Step>,
    tests: Vec<Check>,
    /// Whether an absent option passes.
    none: bool,
    /// Whether there is an option that could be absent.
    optional: bool,
}

/// One test, ready to run.
#[derive(Clone, Debug)]
enum Check {
    OneOf(Vec<Scalar>),
    Prefix(String),
    Matches {
        text: String,
        whole: Regex,
    },
    Min(Number),
    Max(Number),
    MaxLen(u64),
    /// The hole's own parameter, and the way into it.
    From {
        text: String,
        parameter: String,
        steps: Vec<Step>,
    },
}

/// Most values of a `one-of` that a prompt lists.
const MOST_SHOWN: usize = 40;

impl Rules {
    /// Whether a call can be refused by what it is given, so that its arguments have to be looked at.
    pub fn look_at_arguments(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// Whether a rule compares with the hole's own arguments.
    pub fn look_at_parameters(&self) -> bool {
        self.arguments
            .iter()
            .flat_map(|condition| &condition.tests)
            .any(|test| matches!(test, Check::From { .. }))
    }

    /// The rules as sentences, for the prompt, the scope page and the trace. Labels are not the model's business.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        if let Some(calls) = self.calls {
            sentences.push(match calls {
                1 => "it may be called once".to_owned(),
                _ => format!("it may be called {calls} times"),
            });
        }
        sentences
    }
}

impl Condition {
    /// Whether an absent option could not pass: a length asks nothing of it.
    fn asks_for_a_value(&self) -> bool {
        let mut tests = self.tests.iter();
        tests.any(|test| !matches!(test, Check::MaxLen(_) | Check::From { .. }))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests: Vec<String> = self.tests.iter().map(ToString::to_string).collect();
        write!(f, "`{}` must {}", self.path, tests.join(" and "))?;
        match (self.optional, self.none) {
            (true, true) => f.write_str(", or be absent"),
            (true, false) if self.asks_for_a_value() => f.write_str(", and must not be absent"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(values) => {
                let shown: Vec<String> = values.iter().take(MOST_SHOWN).map(shown).collect();
                let more = match values.len().saturating_sub(MOST_SHOWN) {
                    0 => String::new(),
                    more => format!(" or one of {more} more"),
                };
                match shown.as_slice() {
                    [] => f.write_str("be absent: no value is allowed"),
                    [only] => write!(f, "be {only}"),
                    _ => write!(f, "be one of {}{more}", shown.join(", ")),
                }
            }
            Self::Prefix(text) => write!(f, "start with {text:?}"),
            Self::Matches { text, .. } => {
                write!(f, "match the regular expression /{text}/ as a whole")
            }
            Self::Min(number) => write!(f, "be at least {number}"),
            Self::Max(number) => write!(f, "be at most {number}"),
            Self::MaxLen(length) => write!(f, "have a length of at most {length}"),
            Self::From { text, .. } => write!(
                f,
                "be the argument `{text}` of the function you write, or one of its elements"
            ),
        }
    }
}

fn shown(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => format!("{text:?}"),
        Scalar::Number(number) => number.to_string(),
        Scalar::Flag(flag) => flag.to_string(),
    }
}

/// The rules of the granted functions. A rule about a function that is not granted would do nothing, so it is a fault.
pub(super) fn resolve(
    plan: &Plan,
    hole: &Hole,
    import: &Import,
    kind: Kind,
    provider: &Provider,
    config: Option<&GrantConfig>,
    granted: &[String],
) -> Result<FunctionRules, Fault> {
    let mut rules: BTreeMap<String, Rules> = BTreeMap::new();
    for function in granted {
        rules.insert(function.clone(), defaults(kind, provider, function));
    }
    let Some(config) = config else {
        return Ok(shared(rules));
    };
    let mut faults = Vec::new();
    let target = |name: &Spanned<String>, faults: &mut Vec<Fault>| -> Option<String> {
        let names = match keys::functions(import, std::slice::from_ref(name)) {
            Ok(names) => names,
            Err(fault) => {
                faults.push(fault);
                return None;
            }
        };
        let found = names.into_iter().find(|name| granted.contains(name));
        if found.is_none() {
            let message = format!(
                "`{}` is not granted here, so nothing can be said about it",
                name.value
            );
            faults.push(
                Fault::new(message)
                    .at(name.place.clone())
                    .hint("add it to `functions`, or remove this"),
            );
        }
        found
    };
    for rule in &config.rules {
        let Some(function) = target(&rule.function, &mut faults) else {
            continue;
        };
        let condition = match plan.imported(hole, import, &function) {
            Some(Ok(ty)) => condition(hole, &ty, rule),
            Some(Err(error)) => Err(Fault::new(error.to_string()).at(rule.function.place.clone())),
            None => continue,
        };
        match condition {
            Ok(condition) => {
                if let Some(rules) = rules.get_mut(&function) {
                    rules.arguments.push(condition);
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    for (name, most) in &config.calls {
        if let Some(rules) = target(name, &mut faults).and_then(|name| rules.get_mut(&name)) {
            rules.calls = Some(*most);
        }
    }
    for (name, labels) in &config.labels {
        if let Some(rules) = target(name, &mut faults).and_then(|name| rules.get_mut(&name)) {
            rules.labels = *labels;
        }
    }
    if let Some(sends) = &config.sends {
        for rules in rules.values_mut() {
            rules.sends = false;
        }
        for name in sends {
            if let Some(rules) = target(name, &mut faults).and_then(|name| rules.get_mut(&name)) {
                rules.sends = true;
            }
        }
    }
    match &config.irreversible {
        None => {}
        Some(Irreversible::All(all)) => {
            for rules in rules.values_mut() {
                rules.irreversible = *all;
            }
        }
        Some(Irreversible::Functions(names)) => {
            for rules in rules.values_mut() {
                rules.irreversible = false;
            }
            for name in names {
                if let Some(rules) = target(name, &mut faults).and_then(|name| rules.get_mut(&name))
                {
                    rules.irreversible = true;
                }
            }
        }
    }
    if calculates(kind) && rules.values().any(|rules| rules.irreversible) {
        let message = format!(
            "`{}` has no effects, so none of them is irreversible",
            import.name
        );
        let place = config.place_of("irreversible");
        faults.push(Fault::new(message).at(place).hint("remove it"));
    }
    for rules in rules.values_mut() {
        rules.clearance = config.clearance;
    }
    match Fault::several(faults) {
        Some(fault) => Err(fault),
        None => Ok(shared(rules)),
    }
}

fn shared(rules: BTreeMap<String, Rules>) -> FunctionRules {
    let shared = |(name, rules)| (name, Arc::new(rules));
    rules.into_iter().map(shared).collect()
}

/// Whether nothing outside can be changed through it.
fn calculates(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Types
            | Kind::Console
            | Kind::Wall
            | Kind::Monotonic
            | Kind::Calendar
            | Kind::Random
            | Kind::Text(_)
    )
}

/// What holds of a function when its grant says nothing (CONTRACTS section 4).
fn defaults(kind: Kind, provider: &Provider, function: &str) -> Rules {
    let labelled = |labels| Rules {
        labels,
        ..Rules::default()
    };
    match provider {
        Provider::Folder(_) | Provider::Kv(_) | Provider::Sql(_) => labelled(Labels::PRIVATE),
        Provider::Wasi(grant) => labelled(match grant.interface {
            WasiInterface::Preopens | WasiInterface::Types | WasiInterface::Streams => {
                Labels::PRIVATE
            }
            _ => Labels::NONE,
        }),
        // Answers of a file on disk: nothing gets out, and what comes in was written by the plan's author.
        Provider::Stub(_) => Rules::default(),
        _ if calculates(kind) => Rules::default(),
        // Of `send` a GET is let through all the same: each call says whether it can be undone.
        Provider::Http(grant) => Rules {
            labels: Labels::UNTRUSTED,
            sends: true,
            irreversible: function == "send" && grant.methods.iter().any(|method| method != "GET"),
            ..Rules::default()
        },
        _ => Rules {
            labels: Labels::ALL,
            sends: true,
            irreversible: matches!(provider, Provider::Command(_)),
            ..Rules::default()
        },
    }
}

fn condition(hole: &Hole, function: &Function, rule: &ArgumentRule) -> Result<Condition, Fault> {
    let at = |fault: Fault| fault.at(rule.path.place.clone());
    let (name, steps) = path::parse(&rule.path.value).map_err(at)?;
    let Some(parameter) = function
        .parameters
        .iter()
        .position(|(known, _)| *known == name)
    else {
        let message = format!("`{}` has no parameter `{name}`", written(&function.name));
        let known = function.parameters.iter().map(|(name, _)| name.as_str());
        let fault = Fault::new(message).did_you_mean(&name, known.clone());
        let all = || format!("it has: {}", known.collect::<Vec<_>>().join(", "));
        let hint = fault.hint.clone().unwrap_or_else(all);
        return Err(at(fault.hint(hint)));
    };
    let ty = &function.parameters[parameter].1;
    let leaf = path::leaf(ty, &steps, &name).map_err(at)?;
    let optional = has_option(ty, &steps);
    let mut tests = Vec::new();
    for test in &rule.tests {
        let made = prepare(hole, &test.value, &leaf, &rule.path.value);
        tests.push(made.map_err(|fault| fault.at(test.place.clone()))?);
    }
    let bound = |wanted: fn(&Test) -> Option<&Number>| {
        rule.tests.iter().find_map(|test| wanted(&test.value))
    };
    let least = bound(|test| match test {
        Test::Min(number) => Some(number),
        _ => None,
    });
    let most = bound(|test| match test {
        Test::Max(number) => Some(number),
        _ => None,
    });
    if let (Some(least), Some(most)) = (least, most)
        && check::compare(*least, *most).is_some_and(std::cmp::Ordering::is_gt)
    {
        let message = format!("no number is at least {least} and at most {most}");
        return Err(at(Fault::new(message)));
    }
    Ok(Condition {
        parameter,
        ty: ty.clone(),
        path: rule.path.value.clone(),
        steps,
        tests,
        none: rule.none,
        optional,
    })
}

/// Whether one of the types on the way is an option. Behind `[]` nothing need be there.
fn has_option(ty: &Type, steps: &[Step]) -> bool {
    if let Type::Option(inner) = ty {
        return !steps.contains(&Step::Each) || has_option(inner, steps);
    }
    match steps.split_first() {
        Some((step, rest)) => path::next(ty, step).is_some_and(|next| has_option(&next, rest)),
        None => false,
    }
}

/// Whether a value of the one type can be one of the other, as rules compare them.
fn comparable(one: &Type, other: &Type) -> bool {
    let text = |ty: &Type| matches!(ty, Type::String | Type::Char | Type::Enum { .. });
    one == other || (text(one) && text(other)) || (is_number(one) && is_number(other))
}

/// The test for a value of type `leaf`, if it can be one.
fn prepare(hole: &Hole, test: &Test, leaf: &Type, path: &str) -> Result<Check, Fault> {
    let text = matches!(leaf, Type::String | Type::Char | Type::Enum { .. });
    let list = matches!(leaf, Type::List(_) | Type::Flags { .. });
    let fits = match test {
        Test::OneOf(values) => {
            for value in values {
                scalar_fits(value, leaf)?;
            }
            text || is_number(leaf) || *leaf == Type::Bool
        }
        Test::Prefix(_) | Test::Matches(_) => text,
        Test::Min(_) | Test::Max(_) => is_number(leaf),
        Test::MaxLen(_) => list || *leaf == Type::String,
        Test::From(_) => !matches!(leaf, Type::Own(_) | Type::Borrow(_)),
    };
    if !fits {
        let name = match test {
            Test::OneOf(_) => "one-of",
            Test::Prefix(_) => "prefix",
            Test::Matches(_) => "matches",
            Test::Min(_) => "min",
            Test::Max(_) => "max",
            Test::MaxLen(_) => "max-len",
            Test::From(_) => "from",
        };
        let fault = Fault::new(format!(
            "`{name}` can't be asked of `{path}`, which is {leaf}"
        ));
        return Err(match leaf {
            Type::List(_) => fault.hint(format!("for each of its elements write \"{path}[]\"")),
            Type::Record { fields, .. } => {
                let fields: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                fault.hint(format!(
                    "its fields are {}: write \"{path}.{}\"",
                    fields.join(", "),
                    fields[0]
                ))
            }
            _ => fault,
        });
    }
    Ok(match test {
        Test::OneOf(values) => Check::OneOf(values.clone()),
        Test::Prefix(prefix) => Check::Prefix(prefix.clone()),
        Test::Matches(text) => {
            // Anchored outside of the group: the pattern was parsed alone, so it can't close it.
            let whole = Regex::new(&format!("\\A(?:{text})\\z"))
                .map_err(|error| Fault::new(format!("`matches`: {error}")))?;
            Check::Matches {
                text: text.clone(),
                whole,
            }
        }
        Test::Min(number) => Check::Min(*number),
        Test::Max(number) => Check::Max(*number),
        Test::MaxLen(length) => Check::MaxLen(*length),
        Test::From(text) => {
            let (parameter, steps) = path::parse(text)?;
            let functions = || hole.exports.iter().flat_map(|export| &export.functions);
            let known = || {
                functions()
                    .flat_map(|function| &function.parameters)
                    .map(|(name, _)| name.as_str())
            };
            let Some((_, ty)) = functions()
                .flat_map(|function| &function.parameters)
                .find(|(name, _)| *name == parameter)
            else {
                let message = format!("the hole `{}` has no parameter `{parameter}`", hole.name);
                return Err(Fault::new(message).did_you_mean(&parameter, known()));
            };
            let source = path::leaf(ty, &steps, &parameter)?;
            let element = match &source {
                Type::List(item) => Some(path::present(item)),
                _ => None,
            };
            if !comparable(&source, leaf) && !element.is_some_and(|item| comparable(item, leaf)) {
                let message = format!(
                    "`from`: `{text}` is {source}, and can never be what `{path}` is, {leaf}"
                );
                return Err(Fault::new(message));
            }
            Check::From {
                text: text.clone(),
                parameter,
                steps,
            }
        }
    })
}

fn is_number(ty: &Type) -> bool {
    matches!(
        ty,
        Type::S8
            | Type::U8
            | Type::S16
            | Type::U16
            | Type::S32
            | Type::U32
            | Type::S64
            | Type::U64
            | Type::F32
            | Type::F64
    )
}

fn scalar_fits(value: &Scalar, leaf: &Type) -> Result<(), Fault> {
    match (value, leaf) {
        (Scalar::Text(case), Type::Enum { cases, name }) if !cases.contains(case) => Err(
            Fault::new(format!("`one-of`: `{name}` has no case `{case}`"))
                .did_you_mean(case, cases.iter().map(String::as_str)),
        ),
        (Scalar::Text(_), Type::String | Type::Char | Type::Enum { .. })
        | (Scalar::Flag(_), Type::Bool) => Ok(()),
        (Scalar::Number(_), leaf) if is_number(leaf) => Ok(()),
        // The rule as a whole does not fit: said once, by the caller.
        (_, Type::List(_) | Type::Record { .. } | Type::Tuple(_) | Type::Variant { .. }) => Ok(()),
        _ => Err(Fault::new(format!(
            "`one-of`: {} can never be a value of type {leaf}",
            shown(value)
        ))),
    }
}
