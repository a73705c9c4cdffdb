//! The way from a parameter to the part of it that a rule is about: `payee`, `message.to[]`, `point.0`.

use crate::error::Fault;
use crate::value::Type;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A field of a record, an element of a tuple by its number, or a case of a variant or of a result.
    Field(String),
    /// Every element of a list, every name of flags.
    Each,
}

/// Most steps of a path; types are no deeper.
const MOST_STEPS: usize = 64;

/// The parameter's name and the steps from it.
pub(super) fn parse(path: &str) -> Result<(String, Vec<Step>), Fault> {
    let wrong = || {
        Fault::new(format!("`{path}` names no argument"))
            .hint("write a parameter, and the way into it if need be: \"payee\", \"message.to[]\", \"point.0\"")
    };
    let mut steps = Vec::new();
    let mut name = None;
    for part in path.split('.') {
        let bare = part.trim_end_matches("[]");
        if bare.is_empty() || bare.contains(['[', ']', ' ']) {
            return Err(wrong());
        }
        match name {
            None => name = Some(bare.to_owned()),
            Some(_) => steps.push(Step::Field(bare.to_owned())),
        }
        let each = (part.len() - bare.len()) / 2;
        steps.extend(std::iter::repeat_n(Step::Each, each));
        if steps.len() > MOST_STEPS {
            return Err(wrong());
        }
    }
    Ok((name.ok_or_else(wrong)?, steps))
}

/// The type at the end of the way. Options on it are passed through: a rule is about the value that is there.
pub(super) fn leaf(ty: &Type, steps: &[Step], path: &str) -> Result<Type, Fault> {
    let ty = present(ty);
    let Some((step, rest)) = steps.split_first() else {
        return Ok(ty.clone());
    };
    let Some(next) = next(ty, step) else {
        return Err(no_step(ty, step, path));
    };
    let longer = match step {
        Step::Field(name) => format!("{path}.{name}"),
        Step::Each => format!("{path}[]"),
    };
    leaf(&next, rest, &longer)
}

/// The type without the options around it.
pub(super) fn present(mut ty: &Type) -> &Type {
    while let Type::Option(inner) = ty {
        ty = inner;
    }
    ty
}

/// The type after one step, if there is such a step.
pub(super) fn next(ty: &Type, step: &Step) -> Option<Type> {
    match (ty, step) {
        (Type::List(item), Step::Each) => Some((**item).clone()),
        (Type::Flags { name, names }, Step::Each) => Some(Type::Enum {
            name: name.clone(),
            cases: names.clone(),
        }),
        (Type::Record { fields, .. }, Step::Field(name)) => fields
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, ty)| ty.clone()),
        (Type::Tuple(items), Step::Field(name)) => items.get(name.parse::<usize>().ok()?).cloned(),
        (Type::Variant { cases, .. }, Step::Field(name)) => cases
            .iter()
            .find(|(case, _)| case == name)
            .and_then(|(_, ty)| ty.clone()),
        (Type::Result { ok, .. }, Step::Field(name)) if name == "ok" => ok.as_deref().cloned(),
        (Type::Result { err, .. }, Step::Field(name)) if name == "err" => err.as_deref().cloned(),
        _ => None,
    }
}

fn no_step(ty: &Type, step: &Step, path: &str) -> Fault {
    let Step::Field(name) = step else {
        return Fault::new(format!("`{path}` is no list, it is {ty}"))
            .hint(format!("write \"{path}\" without `[]`"));
    };
    let known: Vec<&str> = match ty {
        Type::Record { fields, .. } => fields.iter().map(|(name, _)| name.as_str()).collect(),
        Type::Variant { cases, .. } => cases
            .iter()
            .filter(|(_, ty)| ty.is_some())
            .map(|(name, _)| name.as_str())
            .collect(),
        _ => Vec::new(),
    };
    let fault = Fault::new(format!("`{path}` has no `{name}`, it is {ty}"));
    if let Type::List(_) = ty {
        return fault.hint(format!(
            "for each of its elements write \"{path}[].{name}\""
        ));
    }
    let near = fault.did_you_mean(name, known.iter().copied());
    match (&near.hint, known.is_empty()) {
        (None, false) => near.hint(format!("it has: {}", known.join(", "))),
        _ => near,
    }
}
