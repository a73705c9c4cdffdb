//! The arguments of a call that a host program makes: values, or JSON by parameter name.

use serde_json::Value as Json;

use super::arguments::Invocation;
use super::{Function, Hole, PlanError};
use crate::error::{Fault, nearest};
use crate::value::{self, Type, Value};

/// A call of the hole's one plain function, with values in the order of its parameters. Their types are compared when
/// the call is made.
///
/// # Errors
/// The hole exports more than one plain function, or the number of values is another one.
pub fn positional(hole: &Hole, arguments: Vec<Value>) -> Result<Invocation, PlanError> {
    let (interface, function) = only(hole).map_err(PlanError::Argument)?;
    if arguments.len() != function.parameters.len() {
        return Err(PlanError::Argument(Fault::new(format!(
            "`{}` takes {} arguments, {} are given",
            function.name,
            function.parameters.len(),
            arguments.len()
        ))));
    }
    Ok(invocation(interface, function, arguments))
}

/// A call of the hole's one plain function, with a JSON object by parameter name; a missing `option` is `none`.
///
/// # Errors
/// Names the parameter, and the place inside its value, that does not fit.
pub fn json(hole: &Hole, given: &Json) -> Result<Invocation, PlanError> {
    let (interface, function) = only(hole).map_err(PlanError::Argument)?;
    from_object(function, given)
        .map(|arguments| invocation(interface, function, arguments))
        .map_err(PlanError::Argument)
}

fn from_object(function: &Function, given: &Json) -> Result<Vec<Value>, Fault> {
    let Json::Object(members) = given else {
        return Err(Fault::new("the arguments are no JSON object").hint("give a member for each parameter"));
    };
    let names = || function.parameters.iter().map(|(name, _)| name.as_str());
    for name in members.keys() {
        if !names().any(|known| known == name) {
            return Err(Fault::new(format!("`{}` has no parameter `{name}`", function.name))
                .hint(match nearest(name, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has: {}", names().collect::<Vec<_>>().join(", ")),
                }));
        }
    }
    let value = |(name, ty): &(String, Type)| match (members.get(name), ty) {
        (Some(json), _) => value::from_json(json, ty)
            .map_err(|error| Fault::new(format!("argument `{name}` of type {ty}: {error}"))),
        (None, Type::Option(_)) => Ok(Value::Option(None)),
        (None, _) => Err(Fault::new(format!("no value for the parameter `{name}` of type {ty}"))),
    };
    function.parameters.iter().map(value).collect()
}

/// Name of the exported interface, if it stands in one, and the function.
fn only(hole: &Hole) -> Result<(Option<String>, &Function), Fault> {
    let mut functions = hole.exports.iter().flat_map(|export| {
        let interface = export.interface.as_ref().map(|interface| interface.export_name.clone());
        export.functions.iter().map(move |function| (interface.clone(), function))
    });
    match (functions.next(), functions.next()) {
        (Some(only), None) if only.1.is_plain() => Ok(only),
        _ => Err(Fault::new(format!("the hole `{}` exports more than one plain function", hole.name))
            .hint("make an instance of the fill and invoke its functions by name")),
    }
}

fn invocation(interface: Option<String>, function: &Function, arguments: Vec<Value>) -> Invocation {
    Invocation {
        interface,
        function: function.name.clone(),
        arguments,
        parameters: function.parameters.clone(),
        result: function.result.clone(),
    }
}
