//! WAVE text. wasm-wave's parser makes the tree (it caps the nesting at 100); the tree is turned into a value here, so
//! that an error names the place inside the value and the type that was wanted there.

use wasm_wave::ast::{Node, NodeType};
use wasm_wave::parser::{Parser, ParserError, ParserErrorKind};
use wasm_wave::untyped::UntypedFuncCall;

use super::{Named, Type, Value, ValueError, shortened};
use crate::error::nearest;

/// Reads a WAVE text as a value of `ty`.
///
/// # Errors
/// When it is no WAVE text, or no value of this type.
pub fn parse_wave(text: &str, ty: &Type) -> Result<Value, ValueError> {
    let mut parser = Parser::new(text);
    let raw = parser
        .parse_raw_value()
        .map_err(|error| syntax(&error, text, ty))?;
    parser.finish().map_err(|error| syntax(&error, text, ty))?;
    Reader { text }.read(raw.node(), ty)
}

/// A call in WAVE: `f(1, "a")`. The arguments wait for the function's types.
pub struct Call<'a> {
    text: &'a str,
    call: UntypedFuncCall<'a>,
}

/// Reads the form of a call; [`Call::arguments`] gives the values.
///
/// # Errors
/// When the text is no call.
pub fn parse_call(text: &str) -> Result<Call<'_>, ValueError> {
    match UntypedFuncCall::parse(text) {
        Ok(call) => Ok(Call { text, call }),
        Err(error) => {
            let reason = reason(&error, text);
            Err(ValueError {
                path: String::new(),
                message: format!("expected a call such as `f(1, \"a\")`: {reason}"),
                expected: "call".to_owned(),
                span: Some(error.span()),
            })
        }
    }
}

impl Call<'_> {
    /// The name before the parenthesis, as written.
    pub fn name(&self) -> &str {
        self.call.name()
    }

    /// Its arguments as values of the parameters' types. Options at the end may be left out.
    ///
    /// # Errors
    /// When there are too many or too few, or one has another type; the place is the parameter's name.
    pub fn arguments(&self, parameters: &[Named]) -> Result<Vec<Value>, ValueError> {
        let nodes: Vec<&Node> = match self.call.params_node() {
            Some(node) => node.as_tuple().map(Iterator::collect).unwrap_or_default(),
            None => Vec::new(),
        };
        if let Some(extra) = nodes.get(parameters.len()) {
            return Err(ValueError {
                path: String::new(),
                message: format!(
                    "expected {} argument{}, found {}",
                    parameters.len(),
                    if parameters.len() == 1 { "" } else { "s" },
                    nodes.len()
                ),
                expected: "arguments".to_owned(),
                span: Some(extra.span()),
            });
        }
        let reader = Reader { text: self.text };
        parameters
            .iter()
            .enumerate()
            .map(|(index, (name, ty))| match (nodes.get(index), ty) {
                (Some(node), _) => reader.read(node, ty).map_err(|error| error.within(name)),
                (None, Type::Option(_)) => Ok(Value::Option(None)),
                (None, _) => Err(ValueError {
                    span: Some(self.text.len().saturating_sub(1)..self.text.len()),
                    ..ValueError::new(ty, format!("no value for parameter `{name}` of type {ty}"))
                }),
            })
            .collect()
    }
}

/// A value as WAVE text, floats without exponent. A handle has no WAVE form and is written `<handle>`.
pub fn to_wave(value: &Value) -> String {
    let printable;
    let value = if needs_stand_in(value) {
        printable = with_stand_ins(value);
        &printable
    } else {
        value
    };
    // The writer fails only if the string it writes to does, which a `String` does not.
    wasm_wave::to_string(value).unwrap_or_default()
}

fn needs_stand_in(value: &Value) -> bool {
    match value {
        Value::Resource(_)
        | Value::Map(_)
        | Value::Future(_)
        | Value::Stream(_)
        | Value::ErrorContext(_) => true,
        Value::List(values) | Value::Tuple(values) | Value::FixedLengthList(values) => {
            values.iter().any(needs_stand_in)
        }
        Value::Record(fields) => fields.iter().any(|(_, value)| needs_stand_in(value)),
        Value::Variant(_, payload)
        | Value::Option(payload)
        | Value::Result(Ok(payload) | Err(payload)) => {
            payload.as_deref().is_some_and(needs_stand_in)
        }
        _ => false,
    }
}

/// A copy with every part that has no WAVE form replaced by an enum case, which the writer prints as it stands.
fn with_stand_ins(value: &Value) -> Value {
    let all = |values: &[Value]| values.iter().map(with_stand_ins).collect();
    let payload = |value: &Option<Box<Value>>| {
        value
            .as_deref()
            .map(|value| Box::new(with_stand_ins(value)))
    };
    match value {
        Value::Resource(_) => Value::Enum("<handle>".to_owned()),
        Value::Map(_) => Value::Enum("<map>".to_owned()),
        Value::Future(_) => Value::Enum("<future>".to_owned()),
        Value::Stream(_) => Value::Enum("<stream>".to_owned()),
        Value::ErrorContext(_) => Value::Enum("<error-context>".to_owned()),
        Value::List(values) => Value::List(all(values)),
        Value::FixedLengthList(values) => Value::FixedLengthList(all(values)),
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::Record(fields) => Value::Record(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), with_stand_ins(value)))
                .collect(),
        ),
        Value::Variant(case, value) => Value::Variant(case.clone(), payload(value)),
        Value::Option(value) => Value::Option(payload(value)),
        Value::Result(Ok(value)) => Value::Result(Ok(payload(value))),
        Value::Result(Err(value)) => Value::Result(Err(payload(value))),
        plain => plain.clone(),
    }
}

struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn slice(&self, node: &Node) -> &'a str {
        self.text.get(node.span()).unwrap_or_default()
    }

    fn at(&self, node: &Node, mut error: ValueError) -> ValueError {
        error.span.get_or_insert_with(|| node.span());
        error
    }

    fn mismatch(&self, node: &Node, ty: &Type) -> ValueError {
        self.at(node, ValueError::mismatch(ty, shortened(self.slice(node))))
    }

    fn read(&self, node: &Node, ty: &Type) -> Result<Value, ValueError> {
        match ty {
            Type::Bool => node
                .as_bool()
                .map(Value::Bool)
                .map_err(|_| self.mismatch(node, ty)),
            Type::S8 => self.number(node, ty).map(Value::S8),
            Type::U8 => self.number(node, ty).map(Value::U8),
            Type::S16 => self.number(node, ty).map(Value::S16),
            Type::U16 => self.number(node, ty).map(Value::U16),
            Type::S32 => self.number(node, ty).map(Value::S32),
            Type::U32 => self.number(node, ty).map(Value::U32),
            Type::S64 => self.number(node, ty).map(Value::S64),
            Type::U64 => self.number(node, ty).map(Value::U64),
            Type::F32 => {
                let number: f32 = self.number(node, ty)?;
                self.finite(node, ty, number.is_infinite())?;
                Ok(Value::Float32(if number.is_nan() {
                    f32::NAN
                } else {
                    number
                }))
            }
            Type::F64 => {
                let number: f64 = self.number(node, ty)?;
                self.finite(node, ty, number.is_infinite())?;
                Ok(Value::Float64(if number.is_nan() {
                    f64::NAN
                } else {
                    number
                }))
            }
            Type::Char => match node.as_char(self.text) {
                Ok(character) => Ok(Value::Char(character)),
                Err(_) => Err(self.mismatch(node, ty)),
            },
            Type::String => match node.as_str(self.text) {
                Ok(text) => Ok(Value::String(text.into_owned())),
                Err(error) if error.kind() == ParserErrorKind::InvalidType => {
                    Err(self.mismatch(node, ty))
                }
                Err(error) => Err(syntax(&error, self.text, ty)),
            },
            Type::List(element) => {
                let nodes = node.as_list().map_err(|_| self.mismatch(node, ty))?;
                nodes
                    .enumerate()
                    .map(|(index, node)| {
                        self.read(node, element)
                            .map_err(|error| error.within(&format!("[{index}]")))
                    })
                    .collect::<Result<_, _>>()
                    .map(Value::List)
            }
            Type::Tuple(types) => self.tuple(node, ty, types),
            Type::Record { fields, .. } => self.record(node, ty, fields),
            Type::Variant { cases, .. } => self.variant(node, ty, cases),
            Type::Enum { cases, .. } => {
                let case = self.slice(node).trim_start_matches('%');
                if cases.iter().any(|name| name == case) {
                    Ok(Value::Enum(case.to_owned()))
                } else {
                    Err(self.mismatch(node, ty))
                }
            }
            Type::Flags { names, .. } => self.flags(node, ty, names),
            Type::Option(inner) => match node.as_option() {
                Ok(None) => Ok(Value::Option(None)),
                Ok(Some(node)) => Ok(Value::Option(Some(Box::new(self.read(node, inner)?)))),
                // WAVE lets `some(…)` be left out where that cannot be read in two ways.
                Err(_) if flattens(inner) => {
                    Ok(Value::Option(Some(Box::new(self.read(node, inner)?))))
                }
                Err(_) => Err(self.mismatch(node, ty)),
            },
            Type::Result { ok, err } => match (node.as_result(), ok) {
                (Ok(Ok(payload)), _) => Ok(Value::Result(Ok(self.payload(
                    node,
                    ty,
                    "ok",
                    ok.as_deref(),
                    payload,
                )?))),
                (Ok(Err(payload)), _) => Ok(Value::Result(Err(self.payload(
                    node,
                    ty,
                    "err",
                    err.as_deref(),
                    payload,
                )?))),
                (Err(_), Some(ok)) if flattens(ok) => {
                    Ok(Value::Result(Ok(Some(Box::new(self.read(node, ok)?)))))
                }
                (Err(_), _) => Err(self.mismatch(node, ty)),
            },
            Type::Own(_) | Type::Borrow(_) => Err(self.at(
                node,
                ValueError::new(ty, format!("a handle ({ty}) cannot be written as text")),
            )),
        }
    }

    fn number<T: std::str::FromStr>(&self, node: &Node, ty: &Type) -> Result<T, ValueError> {
        node.as_number(self.text).map_err(|_| {
            let text = self.slice(node);
            let whole = text.strip_prefix('-').unwrap_or(text);
            // A whole number that does not parse is out of range, unless the type has fractions anyway.
            if node.ty() == NodeType::Number && whole.bytes().all(|byte| byte.is_ascii_digit()) {
                self.out_of_range(node, ty)
            } else {
                self.mismatch(node, ty)
            }
        })
    }

    fn finite(&self, node: &Node, ty: &Type, infinite: bool) -> Result<(), ValueError> {
        if infinite && !self.slice(node).ends_with("inf") {
            return Err(self.out_of_range(node, ty));
        }
        Ok(())
    }

    fn out_of_range(&self, node: &Node, ty: &Type) -> ValueError {
        let found = shortened(self.slice(node));
        self.at(
            node,
            ValueError::new(
                ty,
                format!("expected {ty}, found {found}, which is out of its range"),
            ),
        )
    }

    fn tuple(&self, node: &Node, ty: &Type, types: &[Type]) -> Result<Value, ValueError> {
        let nodes = node.as_tuple().map_err(|_| self.mismatch(node, ty))?;
        if nodes.len() != types.len() {
            let message = format!(
                "expected {ty}, found {} value{}",
                nodes.len(),
                if nodes.len() == 1 { "" } else { "s" }
            );
            return Err(self.at(node, ValueError::new(ty, message)));
        }
        nodes
            .zip(types)
            .enumerate()
            .map(|(index, (node, ty))| {
                self.read(node, ty)
                    .map_err(|error| error.within(&index.to_string()))
            })
            .collect::<Result<_, _>>()
            .map(Value::Tuple)
    }

    fn record(
        &self,
        node: &Node,
        ty: &Type,
        fields: &[(String, Type)],
    ) -> Result<Value, ValueError> {
        let given: Vec<(&str, &Node)> = node
            .as_record(self.text)
            .map_err(|_| self.mismatch(node, ty))?
            .collect();
        for (name, value) in &given {
            if !fields.iter().any(|(field, _)| field == name) {
                let mut error = unknown_field(ty, name, fields);
                let before = &self.text[..value.span().start];
                error.span = before.rfind(name).map(|at| at..at + name.len());
                return Err(self.at(value, error));
            }
        }
        let given: std::collections::HashMap<&str, &Node> = given.into_iter().collect();
        fields
            .iter()
            .map(|(name, field)| {
                let value = match (given.get(name.as_str()), field) {
                    (Some(node), _) => {
                        self.read(node, field).map_err(|error| error.within(name))?
                    }
                    (None, Type::Option(_)) => Value::Option(None),
                    (None, _) => return Err(self.at(node, missing_field(ty, name, field))),
                };
                Ok((name.clone(), value))
            })
            .collect::<Result<_, _>>()
            .map(Value::Record)
    }

    fn variant(
        &self,
        node: &Node,
        ty: &Type,
        cases: &[(String, Option<Type>)],
    ) -> Result<Value, ValueError> {
        let (label, payload) = match node.as_variant(self.text) {
            Ok(parts) => parts,
            Err(_) => (self.slice(node), None),
        };
        let Some((case, payload_type)) = cases.iter().find(|(case, _)| case == label) else {
            return Err(match node.ty() {
                NodeType::Label | NodeType::VariantWithPayload => {
                    self.at(node, unknown_case(ty, label, cases))
                }
                _ => self.mismatch(node, ty),
            });
        };
        let payload = self.payload(node, ty, case, payload_type.as_ref(), payload)?;
        Ok(Value::Variant(case.clone(), payload))
    }

    fn payload(
        &self,
        node: &Node,
        ty: &Type,
        case: &str,
        payload_type: Option<&Type>,
        payload: Option<&Node>,
    ) -> Result<Option<Box<Value>>, ValueError> {
        match (payload_type, payload) {
            (None, None) => Ok(None),
            (Some(ty), Some(node)) => self
                .read(node, ty)
                .map(|value| Some(Box::new(value)))
                .map_err(|error| error.within(case)),
            (Some(wanted), None) => Err(self.at(
                node,
                ValueError::new(ty, format!("`{case}` needs a payload of type {wanted}")),
            )),
            (None, Some(payload)) => Err(self.at(
                payload,
                ValueError::new(ty, format!("`{case}` has no payload")),
            )),
        }
    }

    fn flags(&self, node: &Node, ty: &Type, names: &[String]) -> Result<Value, ValueError> {
        let given: Vec<&str> = match node.ty() {
            // `{:}` is WAVE's empty record and `{}` its empty flags.
            NodeType::Flags => node
                .as_flags(self.text)
                .map_err(|_| self.mismatch(node, ty))?
                .map(|name| name.trim_start_matches('%'))
                .collect(),
            _ => return Err(self.mismatch(node, ty)),
        };
        flags(ty, names, &given).map_err(|error| self.at(node, error))
    }
}

/// Flags in the order of the type, as wasmtime gives them back, whatever the order they were written in.
pub(super) fn flags(ty: &Type, names: &[String], given: &[&str]) -> Result<Value, ValueError> {
    if let Some(unknown) = given
        .iter()
        .find(|given| !names.iter().any(|name| name == *given))
    {
        return Err(ValueError::mismatch(
            ty,
            format!("`{}`", shortened(unknown)),
        ));
    }
    Ok(Value::Flags(
        names
            .iter()
            .filter(|name| given.contains(&name.as_str()))
            .cloned()
            .collect(),
    ))
}

pub(super) fn unknown_field(ty: &Type, name: &str, fields: &[(String, Type)]) -> ValueError {
    let known = nearest(name, fields.iter().map(|(field, _)| field.as_str()));
    let advice = known.map_or_else(
        || {
            let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
            format!("; its fields: {}", names.join(", "))
        },
        |known| format!("; did you mean `{known}`?"),
    );
    let name = shortened(name);
    ValueError::new(
        ty,
        format!("{} has no field `{name}`{advice}", ty.described()),
    )
}

pub(super) fn missing_field(ty: &Type, name: &str, field: &Type) -> ValueError {
    ValueError::new(
        ty,
        format!(
            "{} needs the field `{name}` of type {field}",
            ty.described()
        ),
    )
}

pub(super) fn unknown_case(ty: &Type, name: &str, cases: &[(String, Option<Type>)]) -> ValueError {
    let known = nearest(name, cases.iter().map(|(case, _)| case.as_str()));
    let advice = known.map_or_else(
        || {
            let names: Vec<&str> = cases.iter().map(|(case, _)| case.as_str()).collect();
            format!("; its cases: {}", names.join(", "))
        },
        |known| format!("; did you mean `{known}`?"),
    );
    let name = shortened(name);
    ValueError::new(
        ty,
        format!("{} has no case `{name}`{advice}", ty.described()),
    )
}

fn flattens(ty: &Type) -> bool {
    !matches!(ty, Type::Option(_) | Type::Result { .. })
}

fn syntax(error: &ParserError, text: &str, ty: &Type) -> ValueError {
    ValueError {
        span: Some(error.span()),
        ..ValueError::new(
            ty,
            format!("expected {}, but {}", ty.described(), reason(error, text)),
        )
    }
}

/// What wasm-wave says, in a sentence and without the byte offsets.
fn reason(error: &ParserError, text: &str) -> String {
    let found = shortened(text.get(error.span()).unwrap_or_default());
    match error.kind() {
        ParserErrorKind::UnexpectedEnd => "the text ends too early".to_owned(),
        ParserErrorKind::NestingTooDeep => "the text nests too deep".to_owned(),
        ParserErrorKind::TrailingCharacters => format!("`{found}` stands behind the value"),
        ParserErrorKind::EmptyTuple => "a tuple cannot be empty".to_owned(),
        ParserErrorKind::MultipleChars => format!("{found} is more than one character"),
        ParserErrorKind::InvalidEscape => format!("{found} has an invalid escape"),
        ParserErrorKind::DuplicateField => format!("the field `{found}` stands twice"),
        ParserErrorKind::DuplicateFlag => format!("the flag `{found}` stands twice"),
        ParserErrorKind::UnexpectedToken | ParserErrorKind::InvalidToken => {
            format!("`{found}` cannot be read as WAVE")
        }
        other => format!("`{found}` cannot be read as WAVE ({other})"),
    }
}
