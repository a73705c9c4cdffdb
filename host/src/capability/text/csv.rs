//! `lacuna:text/csv`, by the crate `csv`.

use std::collections::HashMap;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};
use wasmtime::component::LinkerInstance;

use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Site};
use crate::capability::compute::{self, Answer, Refusal, Size, fallible};
use crate::capability::host::Host;

type Row = Vec<String>;

pub(super) fn define(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    function: &str,
) -> Result<(), CapabilityError> {
    match function {
        "parse" => fallible(target, site, parse),
        "table" => fallible(target, site, table),
        "write" => fallible(target, site, write),
        _ => Err(compute::unknown(&site)),
    }
}

fn delimiter(character: char) -> Result<u8, String> {
    match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => Ok(byte),
        _ => Err(format!(
            "{character:?} can't be a delimiter: it is one ASCII character, such as ',', ';' or '\\t'"
        )),
    }
}

/// Calls `row` for each record, with the number of its line.
fn records(
    text: &str,
    character: char,
    size: &mut Size<'_>,
    mut row: impl FnMut(&StringRecord, u64, &mut Size<'_>) -> Answer<()>,
) -> Answer<()> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(character)?)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        let more = reader
            .read_record(&mut record)
            .map_err(|error| Refusal::Error(format!("line {line}: {error}")))?;
        if !more {
            return Ok(());
        }
        // Lines without text before the record don't count to it.
        let line = record.position().map_or(line, csv::Position::line);
        row(&record, line, size)?;
    }
}

pub(super) fn parse((text, delimiter): &(String, char), bounds: &Bounds) -> Answer<Vec<Row>> {
    let mut rows = Vec::new();
    records(
        text,
        *delimiter,
        &mut Size::new(bounds),
        |record, _, size| {
            // Weighed before it is copied: a line of delimiters is many fields.
            size.add(
                size_of::<Row>() + record.len() * size_of::<String>() + record.as_slice().len(),
            )?;
            rows.push(record.iter().map(str::to_owned).collect());
            Ok(())
        },
    )?;
    Ok(rows)
}

pub(super) fn table(
    (text, delimiter, columns): &(String, char, Vec<String>),
    bounds: &Bounds,
) -> Answer<Vec<Row>> {
    let mut places: Option<Vec<usize>> = None;
    let mut rows = Vec::new();
    records(
        text,
        *delimiter,
        &mut Size::new(bounds),
        |record, line, size| {
            let Some(places) = &places else {
                places = Some(found(record, columns)?);
                return Ok(());
            };
            let mut row = Row::new();
            size.add(size_of::<Row>())?;
            for (place, column) in places.iter().zip(columns) {
                let field = record.get(*place).ok_or_else(|| {
                    format!(
                        "line {line} has {} fields and so no `{column}`",
                        record.len()
                    )
                })?;
                size.add(size_of::<String>() + field.len())?;
                row.push(field.to_owned());
            }
            rows.push(row);
            Ok(())
        },
    )?;
    if places.is_none() && !columns.is_empty() {
        return Err("the text has no header".into());
    }
    Ok(rows)
}

/// Where the columns stand in the header; of two of one name the first.
fn found(header: &StringRecord, columns: &[String]) -> Answer<Vec<usize>> {
    let mut places = HashMap::new();
    for (place, name) in header.iter().enumerate() {
        places.entry(name).or_insert(place);
    }
    let place = |column: &String| {
        places.get(column.as_str()).copied().ok_or_else(|| {
            let names: Vec<&str> = header.iter().take(50).collect();
            let names = names.join(", ");
            format!("there is no column `{column}`; the header has: {names}").into()
        })
    };
    columns.iter().map(place).collect()
}

pub(super) fn write((rows, character): &(Vec<Row>, char), bounds: &Bounds) -> Answer<String> {
    let mut writer = WriterBuilder::new()
        .delimiter(delimiter(*character)?)
        .terminator(Terminator::Any(b'\n'))
        .flexible(true)
        .from_writer(Vec::new());
    let mut size = Size::new(bounds);
    for row in rows {
        // A field grows by its quotes and the delimiter, and is at most doubled.
        size.add(row.iter().map(|field| field.len() + 1).sum())?;
        writer
            .write_record(row)
            .map_err(|error| Refusal::Error(error.to_string()))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Refusal::Error(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| "a row is no text".into())
}
