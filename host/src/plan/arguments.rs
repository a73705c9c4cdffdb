//! The arguments of the entry (CONTRACTS section 6, points 4 and 5): `--arg`, `--args-json`, `--call` and
//! `[hole.H.args]` become the calls to make. Whatever is wrong is said before a model is asked.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::Spanned;
use super::object::parse_object;
use super::source::reason;
use super::{Function, Hole, Plan, PlanError};
use crate::error::{Fault, Place, nearest};
use crate::value::{self, Named, Type, Value, ValueError};

/// One call to make.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Name of the component's export that holds the function; `None` for a function of the world.
    pub interface: Option<String>,
    /// WIT name.
    pub function: String,
    /// A value for each parameter.
    pub arguments: Vec<Value>,
    /// The parameters, for the trace.
    pub parameters: Vec<Named>,
    /// The result, for printing.
    pub result: Option<Type>,
}

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// `--arg NAME=VALUE`, as given.
    pub args: Vec<String>,
    /// `--args-json FILE`; `-` is the standard input.
    pub args_json: Option<PathBuf>,
    /// `--call 'f(1)'`, as given.
    pub calls: Vec<String>,
}

/// What an argument can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// The standard input.
    Stdin,
}

/// Reads an [`Input`] whole. The edge passes the real one; this module itself touches no file.
pub type Read<'a> = &'a mut dyn FnMut(Input<'_>) -> io::Result<Vec<u8>>;

/// The calls that the inputs ask for.
///
/// # Errors
/// Names the parameter and its type, and where the text stands that is no value of it.
pub fn resolve(
    plan: &Plan,
    hole: &Hole,
    inputs: &Inputs,
    read: Read<'_>,
) -> Result<Vec<Invocation>, PlanError> {
    let mut resolver = Resolver {
        plan,
        hole,
        read,
        stdin_used: false,
    };
    if inputs.calls.is_empty() {
        resolver.by_name(inputs).map(|invocation| vec![invocation])
    } else if !inputs.args.is_empty() || inputs.args_json.is_some() {
        Err(Fault::new(
            "--call holds its arguments: it cannot stand beside --arg or --args-json",
        ))
    } else {
        inputs
            .calls
            .iter()
            .map(|call| resolver.by_call(call))
            .collect()
    }
    .map_err(PlanError::Argument)
}

/// The manifest's arguments of a hole, each with what is wrong with it. Those of a hole that is called by `--call`, or not
/// from the command line at all, are not looked at.
pub fn given(plan: &Plan, hole: &Hole, read: Read<'_>) -> Vec<(String, Result<(), PlanError>)> {
    let Ok((_, function)) = only_function(hole) else {
        return Vec::new();
    };
    let config = plan.manifest.holes.get(&hole.name);
    let Some(config) = config.filter(|_| refuse_handles(function).is_ok()) else {
        return Vec::new();
    };
    let mut resolver = Resolver {
        plan,
        hole,
        read,
        stdin_used: false,
    };
    let args = config.args.iter().map(|(name, text)| {
        let value = parameter(function, name, Some(&text.place))
            .and_then(|ty| resolver.written(name, ty, text));
        let result = value.map(drop).map_err(PlanError::Argument);
        (name.clone(), result)
    });
    args.collect()
}

/// The call of a hole's one plain function with these values, in the order of the parameters. Unlike the command line,
/// a host program can hold handles.
///
/// # Errors
/// When the hole has several functions, or a value is missing, too many, or of another type.
pub fn positional(hole: &Hole, values: Vec<Value>) -> Result<Invocation, PlanError> {
    let (interface, function) = only_function(hole).map_err(PlanError::Argument)?;
    let parameters = &function.parameters;
    if values.len() != parameters.len() {
        let count = values.len();
        let fault = Fault::new(format!(
            "expected {} arguments, found {count}",
            parameters.len()
        ));
        return Err(PlanError::Argument(fault.hint(signature(function))));
    }
    for ((name, ty), value) in parameters.iter().zip(&values) {
        if !value::fits(value, ty) {
            let found = value::to_wave(value);
            let found: String = found.chars().take(40).collect();
            return Err(PlanError::Argument(Fault::new(format!(
                "argument `{name}` of type {ty}: the value {found} is of another type"
            ))));
        }
    }
    Ok(invocation(interface, function, values))
}

/// The call of a hole's one plain function with a JSON object by parameter name; a missing `option` is `none`.
///
/// # Errors
/// When the hole has several functions, or a member is missing, unknown, or no value of its parameter's type.
pub fn json(hole: &Hole, json: &serde_json::Value) -> Result<Invocation, PlanError> {
    by_json(hole, json).map_err(PlanError::Argument)
}

fn by_json(hole: &Hole, json: &serde_json::Value) -> Result<Invocation, Fault> {
    let (interface, function) = only_function(hole)?;
    let object = json
        .as_object()
        .ok_or_else(|| Fault::new("the arguments must be a JSON object by parameter name"))?;
    for name in object.keys() {
        parameter(function, name, None)?;
    }
    let arguments = function
        .parameters
        .iter()
        .map(|(name, ty)| match (object.get(name), ty) {
            (Some(json), _) => value::from_json(json, ty).map_err(|error| wrong(name, ty, &error)),
            (None, Type::Option(_)) => Ok(Value::Option(None)),
            (None, _) => Err(Fault::new(format!(
                "no value for the parameter `{name}` of type {ty}"
            ))
            .at(function.place.clone())),
        })
        .collect::<Result<_, _>>()?;
    Ok(invocation(interface, function, arguments))
}

/// The one plain function of a hole that has no other.
fn only_function(hole: &Hole) -> Result<Candidate<'_>, Fault> {
    let functions = functions(hole);
    match functions.as_slice() {
        [only] if only.1.is_plain() => Ok(*only),
        _ => Err(say_which(hole, &functions)),
    }
}

fn functions(hole: &Hole) -> Vec<Candidate<'_>> {
    hole.exports
        .iter()
        .flat_map(|export| {
            export
                .functions
                .iter()
                .map(|function| (export.interface.as_ref(), function))
        })
        .collect()
}

struct Resolver<'a> {
    plan: &'a Plan,
    hole: &'a Hole,
    read: Read<'a>,
    stdin_used: bool,
}

/// A function with the name of the export that holds it.
type Candidate<'a> = (Option<&'a super::ExportedInterface>, &'a Function);

impl<'a> Resolver<'a> {
    fn by_name(&mut self, inputs: &Inputs) -> Result<Invocation, Fault> {
        let (interface, function) = only_function(self.hole)?;
        refuse_handles(function)?;
        let parameters = &function.parameters;
        let mut values: BTreeMap<String, Value> = BTreeMap::new();
        for arg in &inputs.args {
            let Some((name, text)) = arg.split_once('=') else {
                return Err(Fault::new(format!("--arg {arg}: expected NAME=VALUE")));
            };
            let ty = parameter(function, name, None)?;
            let place = |span| text_place(&format!("--arg {name}"), text, span);
            let value = self.value(name, ty, text, Path::new(""), &place)?;
            if values.insert(name.to_owned(), value).is_some() {
                return Err(Fault::new(format!("--arg {name} is given twice")));
            }
        }
        if let Some(file) = &inputs.args_json {
            for (name, json) in self.json_object(file)? {
                let ty = parameter(function, &name, None)?;
                let value =
                    value::from_json(&json, ty).map_err(|error| wrong(&name, ty, &error))?;
                values.entry(name).or_insert(value);
            }
        }
        if let Some(config) = self.plan.manifest.holes.get(&self.hole.name) {
            for (name, text) in &config.args {
                let ty = parameter(function, name, Some(&text.place))?;
                if values.contains_key(name) {
                    continue;
                }
                values.insert(name.clone(), self.written(name, ty, text)?);
            }
        }
        let arguments = parameters
            .iter()
            .map(|(name, ty)| match (values.remove(name), ty) {
                (Some(value), _) => Ok(value),
                (None, Type::Option(_)) => Ok(Value::Option(None)),
                (None, _) => Err(Fault::new(format!("no value for the parameter `{name}` of type {ty}"))
                    .at(function.place.clone())
                    .hint(format!(
                        "give --arg {name}=VALUE, or write it into lacuna.toml:\n[hole.{}.args]\n{name} = \"VALUE\"",
                        self.hole.name
                    ))),
            })
            .collect::<Result<_, _>>()?;
        Ok(invocation(interface, function, arguments))
    }

    /// The value that the manifest gives.
    fn written(&mut self, name: &str, ty: &Type, text: &Spanned<String>) -> Result<Value, Fault> {
        let place = |_| Some(text.place.clone());
        self.value(name, ty, &text.value, &self.plan.folder, &place)
    }

    fn by_call(&mut self, text: &str) -> Result<Invocation, Fault> {
        let at = |error: &ValueError| text_place("--call", text, error.span.clone());
        let before = text.split('(').next().unwrap_or_default();
        if before.contains(['[', '#']) {
            return Err(of_resource(before));
        }
        let call = value::parse_call(text)
            .map_err(|error| Fault::new(error.to_string()).at(at(&error)))?;
        let (interface, function) = self.find(call.name())?;
        refuse_handles(function)?;
        let arguments = call.arguments(&function.parameters).map_err(|error| {
            Fault::new(error.to_string())
                .at(at(&error))
                .hint(signature(function))
        })?;
        Ok(invocation(interface, function, arguments))
    }

    fn find(&self, written: &str) -> Result<Candidate<'a>, Fault> {
        // `demo:text/fns.shout@0.1.0` is WAVE's long form of `fns.shout`.
        let (package, rest) = written
            .split_once('/')
            .map_or((None, written), |(package, rest)| (Some(package), rest));
        let (path, version) = rest
            .split_once('@')
            .map_or((rest, None), |(path, version)| (path, Some(version)));
        let (interface, name) = path
            .split_once('.')
            .map_or((None, path), |(interface, name)| (Some(interface), name));
        let functions = functions(self.hole);
        let fits = |candidate: &&Candidate<'_>| {
            let (exported, function) = candidate;
            function.name == name
                && match (exported, interface) {
                    (_, None) => true,
                    (None, Some(_)) => false,
                    (Some(exported), Some(interface)) => {
                        exported.name == interface
                            && package.is_none_or(|package| {
                                exported.export_name.starts_with(&format!("{package}/"))
                            })
                            && version.is_none_or(|version| {
                                exported.export_name.ends_with(&format!("@{version}"))
                            })
                    }
                }
        };
        let found: Vec<Candidate<'a>> = functions.iter().filter(fits).copied().collect();
        match found.as_slice() {
            [only] => Ok(*only),
            [] => {
                let is_resource = functions.iter().any(|(_, function)| {
                    function.name.split_once(']').is_some_and(|(_, of)| {
                        of == path
                            || of == name
                            || Some(of.split('.').next().unwrap_or(of)) == interface
                    })
                });
                if is_resource {
                    return Err(of_resource(written));
                }
                let names: Vec<String> = functions
                    .iter()
                    .filter(|(_, function)| function.is_plain())
                    .map(|(interface, function)| match interface {
                        Some(exported) => format!("{}.{}", exported.name, function.name),
                        None => function.name.clone(),
                    })
                    .collect();
                let fault = Fault::new(format!(
                    "the hole `{}` exports no function `{written}`",
                    self.hole.name
                ));
                Err(match nearest(written, names.iter().map(String::as_str)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault.hint(format!("it exports: {}", names.join(", "))),
                })
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .filter_map(|(interface, _)| {
                        interface.map(|interface| format!("{}.{name}", interface.name))
                    })
                    .collect();
                Err(
                    Fault::new(format!("`{written}` is exported more than once"))
                        .hint(format!("write one of: {}", names.join(", "))),
                )
            }
        }
    }

    fn value(
        &mut self,
        name: &str,
        ty: &Type,
        text: &str,
        folder: &Path,
        place: &dyn Fn(Option<std::ops::Range<usize>>) -> Option<Place>,
    ) -> Result<Value, Fault> {
        let is_string = *ty == Type::String;
        if let Some(rest) = text.strip_prefix("@@")
            && is_string
        {
            return Ok(Value::String(format!("@{rest}")));
        }
        if let Some(source) = text.strip_prefix('@') {
            let is_bytes = matches!(ty, Type::List(element) if **element == Type::U8);
            if !is_string && !is_bytes {
                return Err(Fault::new(format!(
                    "argument `{name}`: only `string` and `list<u8>` can be read from a file, not {ty}"
                ))
                .at(place(None)));
            }
            let bytes = self
                .content(name, source, folder)
                .map_err(|fault| fault.at(place(None)))?;
            return if is_bytes {
                Ok(Value::List(bytes.into_iter().map(Value::U8).collect()))
            } else {
                String::from_utf8(bytes).map(Value::String).map_err(|_| {
                    Fault::new(format!("argument `{name}`: {source} is no UTF-8 text, and the parameter is a string"))
                        .at(place(None))
                })
            };
        }
        if is_string && !text.starts_with('"') {
            return Ok(Value::String(text.to_owned()));
        }
        value::parse_wave(text, ty).map_err(|error| {
            let span = error.span.clone();
            wrong(name, ty, &error).at(place(span))
        })
    }

    fn content(&mut self, name: &str, source: &str, folder: &Path) -> Result<Vec<u8>, Fault> {
        if source == "-" {
            if self.stdin_used {
                return Err(Fault::new(format!(
                    "argument `{name}`: the standard input is read already"
                )));
            }
            self.stdin_used = true;
            return (self.read)(Input::Stdin).map_err(|error| {
                Fault::new(format!(
                    "argument `{name}`: cannot read the standard input: {}",
                    reason(&error)
                ))
            });
        }
        if source.is_empty() {
            return Err(
                Fault::new(format!("argument `{name}`: `@` needs a file behind it"))
                    .hint("write `@@` for a text that starts with `@`"),
            );
        }
        let file = folder.join(source);
        (self.read)(Input::File(&file)).map_err(|error| {
            Fault::new(format!(
                "argument `{name}`: cannot read `{}`: {}",
                file.display(),
                reason(&error)
            ))
            .hint("write `@@` for a text that starts with `@`")
        })
    }

    fn json_object(
        &mut self,
        file: &Path,
    ) -> Result<serde_json::Map<String, serde_json::Value>, Fault> {
        let input = if file == Path::new("-") {
            self.stdin_used = true;
            Input::Stdin
        } else {
            Input::File(file)
        };
        let name = file.display().to_string();
        let bytes = (self.read)(input).map_err(|error| {
            Fault::new(format!(
                "cannot read --args-json `{name}`: {}",
                reason(&error)
            ))
        })?;
        parse_object(&name, &bytes)
    }
}

fn say_which(hole: &Hole, functions: &[Candidate<'_>]) -> Fault {
    let plain: Vec<String> = functions
        .iter()
        .filter(|(_, function)| function.is_plain())
        .map(|(interface, function)| match interface {
            Some(interface) => format!("{}.{}", interface.name, function.name),
            None => function.name.clone(),
        })
        .collect();
    if plain.is_empty() {
        return Fault::new(format!(
                "the hole `{}` exports only functions of resources, which cannot be called from the command line",
                hole.name
            ))
            .at(hole.place.clone());
    }
    Fault::new(format!(
        "the hole `{}` exports several functions",
        hole.name
    ))
    .at(hole.place.clone())
    .hint(format!(
        "say what to call, as in --call '{}(…)'; it has: {}",
        plain[0],
        plain.join(", ")
    ))
}

fn parameter<'f>(
    function: &'f Function,
    name: &str,
    place: Option<&Place>,
) -> Result<&'f Type, Fault> {
    if let Some((_, ty)) = function
        .parameters
        .iter()
        .find(|(parameter, _)| parameter == name)
    {
        return Ok(ty);
    }
    let names = || function.parameters.iter().map(|(name, _)| name.as_str());
    let fault =
        Fault::new(format!("`{}` has no parameter `{name}`", function.name)).at(place.cloned());
    Err(match nearest(name, names()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None if function.parameters.is_empty() => fault.hint("it takes no arguments"),
        None => fault.hint(signature(function)),
    })
}

fn invocation(
    interface: Option<&super::ExportedInterface>,
    function: &Function,
    arguments: Vec<Value>,
) -> Invocation {
    Invocation {
        interface: interface.map(|interface| interface.export_name.clone()),
        function: function.name.clone(),
        arguments,
        parameters: function.parameters.clone(),
        result: function.result.clone(),
    }
}

/// A capability does not leave its scope: handles are given to and by the command line never.
fn refuse_handles(function: &Function) -> Result<(), Fault> {
    let holder = function
        .parameters
        .iter()
        .map(|(name, ty)| (format!("its parameter `{name}`"), ty))
        .chain(
            function
                .result
                .iter()
                .map(|ty| ("its result".to_owned(), ty)),
        )
        .find(|(_, ty)| ty.has_handles());
    match holder {
        None => Ok(()),
        Some((what, ty)) => Err(Fault::new(format!(
            "`{}` cannot be called from the command line: {what} ({ty}) holds a resource",
            function.name
        ))
        .at(function.place.clone())),
    }
}

fn of_resource(written: &str) -> Fault {
    Fault::new(format!(
        "`{written}` belongs to a resource, and handles cannot be held on the command line"
    ))
    .hint("only plain functions can be called with --call; the library can hold handles")
}

fn signature(function: &Function) -> String {
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|(name, ty)| format!("{name}: {ty}"))
        .collect();
    let result = function
        .result
        .as_ref()
        .map_or_else(String::new, |ty| format!(" -> {ty}"));
    format!(
        "its type is {}: func({}){result}",
        function.name,
        parameters.join(", ")
    )
}

fn wrong(name: &str, ty: &Type, error: &ValueError) -> Fault {
    Fault::new(format!("argument `{name}` of type {ty}: {error}"))
}

fn text_place(name: &str, text: &str, span: Option<std::ops::Range<usize>>) -> Option<Place> {
    span.map(|span| Place::of_bytes(name, text, span.start, span.end))
}
