//! One statement on one connection, held to its limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::hooks::{Action, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, PrepFlags, Row, ToSql};

use super::access::Judge;
use super::fault;
use super::text;
use super::types::{ROW, Refusal, Rows, SqlError, Value};
use crate::capability::call::{Bounds, Crossing};
use crate::capability::outcome::LimitHit;

/// Steps of SQLite's machine between two looks at the clock and the memory. Each step may make one value, so this many long
/// values may come on top of [`MEMORY`].
const STEPS: i32 = 100;

/// Memory that SQLite may take beyond what it has when the statement starts, bytes. SQLite counts for the whole process: what
/// other statements take meanwhile counts too, but only one that would go past it with them is ended.
pub(super) const MEMORY: i64 = 64 << 20;

/// A value may be as long as what crosses to the guest, but within these, bytes: shorter ones would keep a statement from
/// working with what it does not show; SQLite's own limit is the other.
const SHORTEST_LIMIT: u64 = 1 << 20;
const LONGEST_LIMIT: u64 = 1_000_000_000;

/// What a statement is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To read.
    Query,
    /// To change rows.
    Execute,
    /// To change rows and see them.
    Returning,
}

/// A statement of a guest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    /// What it is for.
    pub(super) purpose: Purpose,
    /// Its text.
    pub(super) text: &'a str,
    /// For its `?`, in order.
    pub(super) parameters: &'a [Value],
    /// `max-rows`.
    pub(super) max_rows: u64,
}

/// Runs it. The connection is in a transaction, and what to do with that is the caller's.
pub(super) fn run(
    connection: &mut Connection,
    judge: &Judge,
    task: Task<'_>,
    bounds: &Bounds,
) -> Result<Rows, Refusal> {
    let watch = Arc::new(Watch {
        bounds: bounds.clone(),
        memory: memory_used(),
        max_rows: task.max_rows,
        changed: AtomicU64::new(0),
        too_much_memory: AtomicBool::new(false),
    });
    let own = judge.clone();
    let authorise = move |context: AuthContext<'_>| own.authorise(&context);
    let guard = Arc::clone(&watch);
    let counter = Arc::clone(&watch);
    let count = move |_: Action, _: &str, _: &str, _: i64| {
        counter.changed.fetch_add(1, Ordering::Relaxed);
    };
    let set = |error: rusqlite::Error| Refusal::from(fault::of(&error, judge, &watch));
    connection.authorizer(Some(authorise)).map_err(set)?;
    connection
        .progress_handler(STEPS, Some(move || guard.ends()))
        .map_err(set)?;
    connection.update_hook(Some(count)).map_err(set)?;
    let rows = step(connection, judge, task, &watch);
    // The next thing that is read may be the description of a long table.
    limit_length(connection, LONGEST_LIMIT).map_err(set)?;
    connection
        .update_hook(None::<fn(Action, &str, &str, i64)>)
        .map_err(set)?;
    connection
        .progress_handler(0, None::<fn() -> bool>)
        .map_err(set)?;
    connection
        .authorizer(None::<fn(AuthContext<'_>) -> Authorization>)
        .map_err(set)?;
    rows
}

fn step(
    connection: &Connection,
    judge: &Judge,
    task: Task<'_>,
    watch: &Watch,
) -> Result<Rows, Refusal> {
    let refuse = |error: rusqlite::Error| fault::of(&error, judge, watch);
    let longest = watch.bounds.crossing.clamp(SHORTEST_LIMIT, LONGEST_LIMIT);
    limit_length(connection, longest).map_err(refuse)?;
    let text = text::single(task.text)?;
    let mut statement = connection
        .prepare_with_flags(text, PrepFlags::SQLITE_PREPARE_NO_VTAB)
        .map_err(refuse)?;
    if let Some(words) = judge.denied() {
        return Err(SqlError::Denied(words).into());
    }
    fits(&statement, task)?;
    limit_length(connection, judge.input().bytes(longest)).map_err(refuse)?;
    for (index, value) in task.parameters.iter().enumerate() {
        statement
            .raw_bind_parameter(index + 1, value)
            .map_err(refuse)?;
    }
    let mut rows = Rows {
        columns: statement
            .column_names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        rows: Vec::new(),
    };
    let mut bytes = rows.columns.bytes();
    let before = connection.total_changes();
    let mut given = statement.raw_query();
    while let Some(row) = given.next().map_err(refuse)? {
        if task.purpose == Purpose::Execute {
            continue;
        }
        if rows.rows.len() as u64 >= task.max_rows {
            return Err(too_many(task.max_rows, "gives").into());
        }
        rows.rows.push(values(
            row,
            &rows.columns,
            &mut bytes,
            watch.bounds.crossing,
        )?);
    }
    if connection.total_changes() - before > task.max_rows {
        return Err(too_many(task.max_rows, "changes").into());
    }
    Ok(rows)
}

/// Whether the statement is one for its purpose and has as many `?` as there are parameters.
fn fits(statement: &rusqlite::Statement<'_>, task: Task<'_>) -> Result<(), SqlError> {
    if statement.is_explain() != 0 {
        return Err(SqlError::Denied("EXPLAIN is not allowed".to_owned()));
    }
    match task.purpose {
        Purpose::Query if !statement.readonly() => {
            return Err(SqlError::Denied("`query` only reads".to_owned()));
        }
        Purpose::Execute | Purpose::Returning if statement.readonly() => {
            return Err(SqlError::Invalid(
                "the statement changes no rows; `query` reads".to_owned(),
            ));
        }
        Purpose::Query | Purpose::Returning if statement.column_count() == 0 => {
            return Err(SqlError::Invalid(
                "the statement gives no rows; with `RETURNING *` it would".to_owned(),
            ));
        }
        _ => {}
    }
    let wanted = statement.parameter_count();
    let given = task.parameters.len();
    if wanted != given {
        return Err(SqlError::Invalid(format!(
            "the statement has {wanted} parameters, and {given} are given"
        )));
    }
    let is_nan = |value: &Value| matches!(value, Value::Real(number) if number.is_nan());
    match task.parameters.iter().position(is_nan) {
        // SQLite would make it NULL.
        Some(at) => Err(SqlError::Invalid(format!("parameter {} is NaN", at + 1))),
        None => Ok(()),
    }
}

/// The values of a row, as they are.
fn values(
    row: &Row<'_>,
    columns: &[String],
    bytes: &mut u64,
    crossing: u64,
) -> Result<Vec<Value>, Refusal> {
    *bytes += ROW;
    let mut values = Vec::with_capacity(columns.len());
    for (index, column) in columns.iter().enumerate() {
        let given = row
            .get_ref(index)
            .map_err(|_| SqlError::Other("a column is missing".to_owned()))?;
        let length = match given {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
            _ => 0,
        };
        *bytes += (size_of::<Value>() + length) as u64;
        if *bytes > crossing {
            return Err(LimitHit {
                name: "crossing",
                at: crossing,
                used: *bytes,
            }
            .into());
        }
        values.push(match given {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Value::Text(text.to_owned()),
                Err(_) => {
                    return Err(SqlError::Invalid(format!(
                        "the text in column `{column}` is no UTF-8; CAST(… AS BLOB) gives its bytes"
                    ))
                    .into());
                }
            },
        });
    }
    Ok(values)
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn too_many(max_rows: u64, does: &str) -> SqlError {
    SqlError::TooLarge(format!("the statement {does} more than {max_rows} rows"))
}

fn limit_length(connection: &Connection, bytes: u64) -> rusqlite::Result<()> {
    let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
    connection
        .set_limit(Limit::SQLITE_LIMIT_LENGTH, bytes)
        .map(drop)
}

/// What ends a statement before its time.
#[derive(Debug)]
pub(super) struct Watch {
    bounds: Bounds,
    /// What SQLite had when the statement started, bytes.
    memory: i64,
    max_rows: u64,
    /// Rows changed so far, as far as SQLite tells of them on the way.
    changed: AtomicU64,
    too_much_memory: AtomicBool,
}

impl Watch {
    /// Whether the statement has to end.
    fn ends(&self) -> bool {
        if memory_used().saturating_sub(self.memory) > MEMORY {
            self.too_much_memory.store(true, Ordering::Relaxed);
            return true;
        }
        self.bounds.abandoned() || self.changed.load(Ordering::Relaxed) > self.max_rows
    }

    /// Why it was ended.
    pub(super) fn reason(&self) -> SqlError {
        if self.too_much_memory.load(Ordering::Relaxed) {
            let mib = MEMORY >> 20;
            SqlError::TooLarge(format!("the statement needs more than {mib} MiB of memory"))
        } else if self.bounds.abandoned() {
            SqlError::Other("the call was given up".to_owned())
        } else {
            too_many(self.max_rows, "changes")
        }
    }
}

/// What SQLite has allocated in this process, bytes.
#[expect(
    unsafe_code,
    reason = "SQLite tells it in no other way, and without it a statement could take all memory"
)]
fn memory_used() -> i64 {
    // SAFETY: the function takes nothing and reads a counter that SQLite guards itself.
    unsafe { rusqlite::ffi::sqlite3_memory_used() }
}
