//! The JSON form of values (CONTRACTS section 2), both ways. Integers never pass through a float.

use serde_json::{Map, Number, Value as Json};

use super::wave::{flags, missing_field, unknown_case, unknown_field};
use super::{Type, Value, ValueError, shortened};

/// The value of `ty` that `json` stands for.
///
/// # Errors
/// When it stands for none; the error names the place inside the value.
pub fn from_json(json: &Json, ty: &Type) -> Result<Value, ValueError> {
    let mismatch = || ValueError::mismatch(ty, shortened(&json.to_string()));
    match ty {
        Type::Bool => json.as_bool().map(Value::Bool).ok_or_else(mismatch),
        Type::S8 => signed(json, ty).map(Value::S8),
        Type::U8 => unsigned(json, ty).map(Value::U8),
        Type::S16 => signed(json, ty).map(Value::S16),
        Type::U16 => unsigned(json, ty).map(Value::U16),
        Type::S32 => signed(json, ty).map(Value::S32),
        Type::U32 => unsigned(json, ty).map(Value::U32),
        Type::S64 => signed(json, ty).map(Value::S64),
        Type::U64 => unsigned(json, ty).map(Value::U64),
        Type::F32 => {
            let number = float(json, ty)?;
            // A number beyond the range of f32 would become an infinity that nobody wrote.
            let narrow = number as f32;
            if narrow.is_infinite() && number.is_finite() {
                return Err(out_of_range(json, ty));
            }
            Ok(Value::Float32(narrow))
        }
        Type::F64 => float(json, ty).map(Value::Float64),
        Type::Char => {
            let mut characters = json.as_str().ok_or_else(mismatch)?.chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Ok(Value::Char(character)),
                _ => Err(mismatch()),
            }
        }
        Type::String => json
            .as_str()
            .map(|text| Value::String(text.to_owned()))
            .ok_or_else(mismatch),
        Type::List(element) => json
            .as_array()
            .ok_or_else(mismatch)?
            .iter()
            .enumerate()
            .map(|(index, json)| {
                from_json(json, element).map_err(|error| error.within(&format!("[{index}]")))
            })
            .collect::<Result<_, _>>()
            .map(Value::List),
        Type::Tuple(types) => {
            let values = json.as_array().ok_or_else(mismatch)?;
            if values.len() != types.len() {
                return Err(ValueError::new(
                    ty,
                    format!("expected {ty}, found an array of {}", values.len()),
                ));
            }
            values
                .iter()
                .zip(types)
                .enumerate()
                .map(|(index, (json, ty))| {
                    from_json(json, ty).map_err(|error| error.within(&index.to_string()))
                })
                .collect::<Result<_, _>>()
                .map(Value::Tuple)
        }
        Type::Record { fields, .. } => record(json.as_object().ok_or_else(mismatch)?, ty, fields),
        Type::Variant { cases, .. } => {
            let (name, payload) = only_member(json).ok_or_else(mismatch)?;
            let (case, payload_type) = cases
                .iter()
                .find(|(case, _)| case == name)
                .ok_or_else(|| unknown_case(ty, name, cases))?;
            let payload = payload_from_json(payload, payload_type.as_ref(), case)?;
            Ok(Value::Variant(case.clone(), payload))
        }
        Type::Enum { cases, .. } => {
            let case = json.as_str().ok_or_else(mismatch)?;
            if cases.iter().any(|name| name == case) {
                Ok(Value::Enum(case.to_owned()))
            } else {
                Err(mismatch())
            }
        }
        Type::Flags { names, .. } => {
            let given: Vec<&str> = json
                .as_array()
                .ok_or_else(mismatch)?
                .iter()
                .map(|name| name.as_str().ok_or_else(mismatch))
                .collect::<Result<_, _>>()?;
            flags(ty, names, &given)
        }
        Type::Option(inner) => {
            if json.is_null() {
                return Ok(Value::Option(None));
            }
            let payload = if matches!(**inner, Type::Option(_)) {
                match only_member(json) {
                    Some(("some", payload)) => payload,
                    _ => {
                        return Err(ValueError::new(
                            ty,
                            format!(
                                "expected {ty} as null or {{\"some\": …}}, found {}",
                                shortened(&json.to_string())
                            ),
                        ));
                    }
                }
            } else {
                json
            };
            Ok(Value::Option(Some(Box::new(from_json(payload, inner)?))))
        }
        Type::Result { ok, err } => match only_member(json) {
            Some(("ok", payload)) => Ok(Value::Result(Ok(payload_from_json(
                payload,
                ok.as_deref(),
                "ok",
            )?))),
            Some(("err", payload)) => Ok(Value::Result(Err(payload_from_json(
                payload,
                err.as_deref(),
                "err",
            )?))),
            _ => Err(ValueError::new(
                ty,
                format!(
                    "expected {ty} as {{\"ok\": …}} or {{\"err\": …}}, found {}",
                    shortened(&json.to_string())
                ),
            )),
        },
        Type::Own(_) | Type::Borrow(_) => Err(ValueError::new(
            ty,
            format!("a handle ({ty}) has no JSON form"),
        )),
    }
}

/// The JSON of a value of `ty`. Parts that do not fit the type are written by what they are, so this never fails;
/// a handle is written `"<file>"`.
pub fn to_json(value: &Value, ty: &Type) -> Json {
    match (value, ty) {
        (Value::Option(None), _) => Json::Null,
        (Value::Option(Some(value)), Type::Option(inner)) => {
            let json = to_json(value, inner);
            if matches!(**inner, Type::Option(_)) {
                member("some", json)
            } else {
                json
            }
        }
        (Value::List(values) | Value::FixedLengthList(values), Type::List(element)) => {
            values.iter().map(|value| to_json(value, element)).collect()
        }
        (Value::Tuple(values), Type::Tuple(types)) => values
            .iter()
            .zip(types)
            .map(|(value, ty)| to_json(value, ty))
            .collect(),
        (Value::Record(values), Type::Record { fields, .. }) => Json::Object(
            values
                .iter()
                .zip(fields)
                .map(|((name, value), (_, ty))| (name.clone(), to_json(value, ty)))
                .collect(),
        ),
        (Value::Variant(case, payload), Type::Variant { cases, .. }) => {
            let ty = cases.iter().find(|(name, _)| name == case);
            let ty = ty.and_then(|(_, ty)| ty.as_ref());
            member(case, payload_to_json(payload.as_deref(), ty))
        }
        (Value::Result(Ok(payload)), Type::Result { ok, .. }) => {
            member("ok", payload_to_json(payload.as_deref(), ok.as_deref()))
        }
        (Value::Result(Err(payload)), Type::Result { err, .. }) => {
            member("err", payload_to_json(payload.as_deref(), err.as_deref()))
        }
        (Value::Resource(_), Type::Own(name) | Type::Borrow(name)) => {
            Json::String(format!("<{name}>"))
        }
        (Value::Bool(value), _) => Json::Bool(*value),
        (Value::S8(value), _) => Json::from(*value),
        (Value::U8(value), _) => Json::from(*value),
        (Value::S16(value), _) => Json::from(*value),
        (Value::U16(value), _) => Json::from(*value),
        (Value::S32(value), _) => Json::from(*value),
        (Value::U32(value), _) => Json::from(*value),
        (Value::S64(value), _) => Json::from(*value),
        (Value::U64(value), _) => Json::from(*value),
        // Through its shortest decimal: widened as it is, 0.1 would print as 0.10000000149011612.
        (Value::Float32(value), _) if value.is_finite() => {
            float_to_json(value.to_string().parse().unwrap_or(f64::from(*value)))
        }
        (Value::Float32(value), _) => float_to_json(f64::from(*value)),
        (Value::Float64(value), _) => float_to_json(*value),
        (Value::Char(value), _) => Json::String(value.to_string()),
        (Value::String(value) | Value::Enum(value), _) => Json::String(value.clone()),
        (Value::Flags(names), _) => names.iter().cloned().map(Json::String).collect(),
        (other, _) => Json::String(super::to_wave(other)),
    }
}

fn member(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn only_member(json: &Json) -> Option<(&str, &Json)> {
    let object = json.as_object().filter(|object| object.len() == 1)?;
    object
        .iter()
        .next()
        .map(|(name, value)| (name.as_str(), value))
}

fn record(
    object: &Map<String, Json>,
    ty: &Type,
    fields: &[(String, Type)],
) -> Result<Value, ValueError> {
    if let Some(unknown) = object
        .keys()
        .find(|name| !fields.iter().any(|(field, _)| field == *name))
    {
        return Err(unknown_field(ty, unknown, fields));
    }
    fields
        .iter()
        .map(|(name, field)| {
            let value = match (object.get(name), field) {
                (Some(json), _) => from_json(json, field).map_err(|error| error.within(name))?,
                (None, Type::Option(_)) => Value::Option(None),
                (None, _) => return Err(missing_field(ty, name, field)),
            };
            Ok((name.clone(), value))
        })
        .collect::<Result<_, _>>()
        .map(Value::Record)
}

fn payload_from_json(
    json: &Json,
    ty: Option<&Type>,
    case: &str,
) -> Result<Option<Box<Value>>, ValueError> {
    match ty {
        Some(ty) => from_json(json, ty)
            .map(|value| Some(Box::new(value)))
            .map_err(|error| error.within(case)),
        None if json.is_null() => Ok(None),
        None => Err(ValueError {
            path: String::new(),
            message: format!(
                "`{case}` has no payload: expected null, found {}",
                shortened(&json.to_string())
            ),
            expected: "null".to_owned(),
            span: None,
        }),
    }
}

fn payload_to_json(value: Option<&Value>, ty: Option<&Type>) -> Json {
    match (value, ty) {
        (Some(value), Some(ty)) => to_json(value, ty),
        _ => Json::Null,
    }
}

fn signed<T: TryFrom<i64>>(json: &Json, ty: &Type) -> Result<T, ValueError> {
    if let Some(number) = json.as_i64() {
        return T::try_from(number).map_err(|_| out_of_range(json, ty));
    }
    Err(not_whole(json, ty))
}

fn unsigned<T: TryFrom<u64>>(json: &Json, ty: &Type) -> Result<T, ValueError> {
    if let Some(number) = json.as_u64() {
        return T::try_from(number).map_err(|_| out_of_range(json, ty));
    }
    Err(not_whole(json, ty))
}

/// A number that is no integer of 64 bits: either a fraction, or a whole number of the wrong sign or size.
fn not_whole(json: &Json, ty: &Type) -> ValueError {
    if json.is_i64() || json.is_u64() {
        out_of_range(json, ty)
    } else {
        ValueError::mismatch(ty, shortened(&json.to_string()))
    }
}

fn out_of_range(json: &Json, ty: &Type) -> ValueError {
    let found = shortened(&json.to_string());
    ValueError::new(
        ty,
        format!("expected {ty}, found {found}, which is out of its range"),
    )
}

fn float(json: &Json, ty: &Type) -> Result<f64, ValueError> {
    match json.as_str() {
        Some("nan") => return Ok(f64::NAN),
        Some("inf") => return Ok(f64::INFINITY),
        Some("-inf") => return Ok(f64::NEG_INFINITY),
        _ => {}
    }
    json.as_f64()
        .ok_or_else(|| ValueError::mismatch(ty, shortened(&json.to_string())))
}

/// A float as CONTRACTS section 2 has it: `"nan"`, `"inf"`, `"-inf"` for what JSON has no numbers for.
pub(crate) fn float_to_json(value: f64) -> Json {
    match Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None if value.is_nan() => Json::from("nan"),
        None if value > 0.0 => Json::from("inf"),
        None => Json::from("-inf"),
    }
}
