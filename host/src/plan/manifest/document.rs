//! Reading a TOML document strictly: every key is known, every value has its type and unit, and each fault has its
//! place. Faults are collected, so that one run shows all of them.

use std::ops::Range;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::Spanned;
use crate::error::{Fault, Place};

/// A value of the document with its bytes.
pub(super) type Item<'a> = toml::Spanned<DeValue<'a>>;

/// A key with its place.
pub(super) type Key = Spanned<String>;

/// The document being read, and what was found wrong with it so far.
pub(super) struct Document<'a> {
    name: &'a str,
    source: &'a str,
    faults: Vec<Fault>,
}

impl<'a> Document<'a> {
    pub(super) fn new(name: &'a str, source: &'a str) -> Self {
        Self {
            name,
            source,
            faults: Vec::new(),
        }
    }

    /// All faults as one, in the order of the text.
    pub(super) fn finish(mut self) -> Option<Fault> {
        self.faults.sort_by_key(|fault| {
            fault
                .place
                .as_ref()
                .map_or((0, 0), |place| (place.line, place.column))
        });
        Fault::several(self.faults)
    }

    pub(super) fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    pub(super) fn fault(&mut self, span: Range<usize>, fault: Fault) {
        let place = self.place(span);
        self.push(fault.at(place));
    }

    /// A fault with a hint, unless `holds`.
    pub(super) fn require(&mut self, holds: bool, span: Range<usize>, message: &str, hint: &str) {
        if !holds {
            self.fault(span, Fault::new(message).hint(hint));
        }
    }

    pub(super) fn place(&self, span: Range<usize>) -> Place {
        Place::of_bytes(self.name, self.source, span.start, span.end)
    }

    pub(super) fn has(&self, table: &DeTable<'_>, key: &str) -> bool {
        table.keys().any(|name| name.get_ref() == key)
    }

    /// The entries in the order of the text.
    pub(super) fn entries<'t, 'v>(&self, table: &'t DeTable<'v>) -> Vec<(Key, &'t Item<'v>)> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        entries
            .into_iter()
            .map(|(name, value)| {
                let key = Spanned {
                    value: name.get_ref().to_string(),
                    place: self.place(name.span()),
                };
                (key, value)
            })
            .collect()
    }

    /// Calls `read` for each entry whose key is `known`; `later` are keys that a coming version will know.
    pub(super) fn table(
        &mut self,
        table: &DeTable<'_>,
        known: &[&str],
        later: &[&str],
        mut read: impl FnMut(&mut Self, &str, &Key, &Item<'_>),
    ) {
        for (name, value) in self.entries(table) {
            if self.one_of("key", &name, known, later) {
                read(self, &name.value, &name, value);
            }
        }
    }

    /// The entries of the table `key`, if there is one.
    pub(super) fn section(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        mut read: impl FnMut(&mut Self, &Key, &Item<'_>),
    ) {
        for (name, value) in self.entries(table) {
            if name.value == key
                && let Some(table) = self.as_table(&name, value)
            {
                for (name, value) in self.entries(table) {
                    read(self, &name, value);
                }
            }
        }
    }

    /// A table of tables with names that the author chose: `[models.NAME]`.
    pub(super) fn named_tables(
        &mut self,
        name: &Key,
        value: &Item<'_>,
        mut read: impl FnMut(&mut Self, &Key, &Item<'_>, &DeTable<'_>),
    ) {
        let Some(table) = self.as_table(name, value) else {
            return;
        };
        for (name, value) in self.entries(table) {
            if let Some(table) = self.as_table(&name, value) {
                read(self, &name, value, table);
            }
        }
    }

    /// Whether `name` is one of `known`; a fault says what it should have been.
    pub(super) fn one_of(
        &mut self,
        what: &str,
        name: &Key,
        known: &[&str],
        later: &[&str],
    ) -> bool {
        let given = name.value.as_str();
        if known.contains(&given) {
            return true;
        }
        let place = name.place.clone();
        if later.contains(&given) {
            self.push(Fault::new(format!("`{given}` is not supported yet")).at(place));
            return false;
        }
        let mut fault = Fault::new(format!("unknown {what} `{given}`")).at(place);
        fault = fault.did_you_mean(given, known.iter().chain(later).copied());
        if fault.hint.is_none() {
            fault = fault.hint(format!("known here: {}", known.join(", ")));
        }
        self.push(fault);
        false
    }

    pub(super) fn as_table<'t, 'v>(
        &mut self,
        name: &Key,
        value: &'t Item<'v>,
    ) -> Option<&'t DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(name, value, "a table", None);
        }
        table
    }

    pub(super) fn wrong_type(
        &mut self,
        name: &Key,
        value: &Item<'_>,
        wanted: &str,
        hint: Option<String>,
    ) {
        let found = match value.get_ref() {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let mut fault = Fault::new(format!("`{}` must be {wanted}, not {found}", name.value));
        fault.hint = hint;
        self.fault(value.span(), fault);
    }

    pub(super) fn text(&mut self, name: &Key, value: &Item<'_>) -> Option<Spanned<String>> {
        if let Some(text) = value.get_ref().as_str() {
            return Some(Spanned {
                value: text.to_owned(),
                place: self.place(value.span()),
            });
        }
        let hint = match value.get_ref() {
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => self
                .source
                .get(value.span())
                .map(|text| format!("write `{} = \"{text}\"`", name.value)),
            _ => None,
        };
        self.wrong_type(name, value, "text", hint);
        None
    }

    pub(super) fn texts(&mut self, name: &Key, value: &Item<'_>) -> Option<Vec<Spanned<String>>> {
        let Some(items) = value.get_ref().as_array() else {
            let hint = value
                .get_ref()
                .as_str()
                .map(|text| format!("write `{} = [\"{text}\"]`", name.value));
            self.wrong_type(name, value, "a list of texts", hint);
            return None;
        };
        let mut texts: Vec<Spanned<String>> = Vec::new();
        for item in items.iter() {
            let text = self.text(name, item)?;
            if texts.iter().any(|other| other.value == text.value) {
                self.push(Fault::new(format!("`{}` stands twice", text.value)).at(text.place));
                return None;
            }
            texts.push(text);
        }
        Some(texts)
    }

    /// A list in which a text may stand twice.
    pub(super) fn words(&mut self, name: &Key, value: &Item<'_>) -> Option<Vec<Spanned<String>>> {
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(name, value, "a list of texts", None);
            return None;
        };
        items.iter().map(|item| self.text(name, item)).collect()
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, name: &Key, value: &Item<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(name, value, "`true` or `false`", None);
        }
        flag
    }

    /// A value with its place.
    pub(super) fn spanned<T>(
        &mut self,
        read: impl FnOnce(&mut Self, &Key, &Item<'_>) -> Option<T>,
        name: &Key,
        value: &Item<'_>,
    ) -> Option<Spanned<T>> {
        let read = read(self, name, value)?;
        let place = self.place(value.span());
        Some(Spanned { value: read, place })
    }

    /// A whole number, 0 or more. `50e9` is a float in TOML and reads better than eleven digits, so whole floats count.
    pub(super) fn number(&mut self, name: &Key, value: &Item<'_>) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            DeValue::Float(number) => number
                .as_str()
                .parse::<f64>()
                .ok()
                .filter(|number| number.fract() == 0.0 && (0.0..=9e15).contains(number))
                .map(|number| number as u64),
            _ => None,
        };
        if number.is_none() {
            match value.get_ref() {
                DeValue::Integer(_) | DeValue::Float(_) => self.fault(
                    value.span(),
                    Fault::new(format!(
                        "`{}` must be a whole number, 0 or more",
                        name.value
                    )),
                ),
                _ => self.wrong_type(name, value, "a whole number", None),
            }
        }
        number
    }

    /// A number with fractions, 0 or more: an amount of money, a temperature.
    pub(super) fn amount(&mut self, name: &Key, value: &Item<'_>) -> Option<f64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            _ => {
                self.wrong_type(name, value, "a number", None);
                return None;
            }
        };
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        if number.is_none() {
            self.fault(
                value.span(),
                Fault::new(format!("`{}` must be a number, 0 or more", name.value)),
            );
        }
        number
    }

    /// `"64MiB"` in bytes; a bare `0` is allowed because it means none in any unit.
    pub(super) fn size(&mut self, name: &Key, value: &Item<'_>) -> Option<u64> {
        const UNITS: &[(&str, u64)] = &[
            ("GiB", 1 << 30),
            ("MiB", 1 << 20),
            ("KiB", 1 << 10),
            ("B", 1),
        ];
        let bytes = self.with_unit(
            name,
            value,
            "size",
            "a size such as \"64MiB\"",
            "B, KiB, MiB and GiB",
            UNITS,
        )?;
        Some(bytes)
    }

    /// `"30s"`.
    pub(super) fn duration(&mut self, name: &Key, value: &Item<'_>) -> Option<Duration> {
        const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
        let millis = self.with_unit(
            name,
            value,
            "time",
            "a time such as \"30s\"",
            "ms, s, m and h",
            UNITS,
        )?;
        Some(Duration::from_millis(millis))
    }

    fn with_unit(
        &mut self,
        name: &Key,
        value: &Item<'_>,
        what: &str,
        wanted: &str,
        units: &str,
        factors: &[(&str, u64)],
    ) -> Option<u64> {
        let hint = || Some(format!("its units are {units}; 0 means none"));
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.as_str() == "0" => return Some(0),
            DeValue::String(text) => text.trim(),
            _ => {
                self.wrong_type(name, value, wanted, hint());
                return None;
            }
        };
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let factor = match factors
            .iter()
            .find(|(known, _)| *known == unit.trim_start())
        {
            Some((_, factor)) => Some(*factor),
            None if number == "0" && unit.is_empty() => Some(1),
            None => None,
        };
        let result = number
            .parse::<u64>()
            .ok()
            .zip(factor)
            .and_then(|(number, factor)| number.checked_mul(factor));
        if result.is_none() {
            let mut fault = Fault::new(format!("`{}`: \"{text}\" is no {what}", name.value));
            fault.hint = hint();
            self.fault(value.span(), fault);
        }
        result
    }

    /// Reads a value into its place, which keeps its default when there is a fault.
    pub(super) fn set<T>(
        &mut self,
        target: &mut T,
        read: impl FnOnce(&mut Self, &Key, &Item<'_>) -> Option<T>,
        name: &Key,
        value: &Item<'_>,
    ) {
        if let Some(read) = read(self, name, value) {
            *target = read;
        }
    }

    /// The same for counts of 32 bits.
    pub(super) fn set_small(&mut self, target: &mut u32, name: &Key, value: &Item<'_>) {
        if let Some(number) = self.number(name, value) {
            match u32::try_from(number) {
                Ok(number) => *target = number,
                Err(_) => self.fault(
                    value.span(),
                    Fault::new(format!(
                        "`{}` must not be larger than {}",
                        name.value,
                        u32::MAX
                    )),
                ),
            }
        }
    }
}
