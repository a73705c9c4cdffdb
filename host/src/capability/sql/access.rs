//! What a statement may touch: SQLite asks for every table, column and function while it compiles a statement, and here it is
//! answered. What is not allowed is refused.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::functions::{self, Input};
use super::text;

/// What stands under a name of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A table or a view: rows of the database itself.
    Plain,
    /// A virtual table, a table that belongs to one, a table of SQLite.
    Special,
}

/// Names of a database, in lower case: SQLite does not tell the cases of ASCII letters apart.
pub(super) type Names = HashMap<String, Kind>;

/// What a grant allows.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// Names of tables and views, as the database spells them.
    pub(super) tables: Vec<String>,
    /// Whether rows may be changed.
    pub(super) write: bool,
}

/// What came up while a statement was compiled.
#[derive(Debug, Default)]
struct Seen {
    /// The first thing that was refused, in words.
    denied: Option<String>,
    /// The shortest input that a function of it needs.
    input: Option<Input>,
}

/// Decides on one statement.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    access: Arc<Access>,
    names: Arc<Names>,
    /// Whether the functions that take a list of characters are called without one.
    without_lists: bool,
    seen: Arc<Mutex<Seen>>,
}

impl Judge {
    /// For a statement on a database with these names.
    pub(super) fn new(access: Arc<Access>, names: Arc<Names>, statement: &str) -> Self {
        // `trim` is the end of `ltrim` and `rtrim`.
        let mut of_lists = ["trim", "unhex"].into_iter();
        Self {
            access,
            names,
            without_lists: of_lists.all(|name| text::single_argument(statement, name)),
            seen: Arc::default(),
        }
    }

    /// What was refused.
    pub(super) fn denied(&self) -> Option<String> {
        self.seen().denied.clone()
    }

    /// How long the values may be, by the functions that are called.
    pub(super) fn input(&self) -> Input {
        self.seen().input.unwrap_or(Input::Any)
    }

    /// The answer to SQLite.
    pub(super) fn authorise(&self, context: &AuthContext<'_>) -> Authorization {
        match self.decide(context) {
            Ok(()) => Authorization::Allow,
            Err(words) => {
                self.seen().denied.get_or_insert(words);
                Authorization::Deny
            }
        }
    }

    /// The words for a table that is not there or not granted: they are the same for both.
    pub(super) fn no_table(&self, table: &str) -> String {
        let granted = self.access.tables.join("`, `");
        format!("no table `{}` is granted; granted: `{granted}`", cut(table))
    }

    /// Who asks (`accessor`: a trigger, a view, and any subquery, whose name the statement chooses) counts for nothing:
    /// a table that a view or a trigger reaches must be granted itself.
    fn decide(&self, context: &AuthContext<'_>) -> Result<(), String> {
        let own = context.database_name == Some("main");
        match context.action {
            AuthAction::Select | AuthAction::Recursive => Ok(()),
            // No column of it is used: then SQLite gives no database, and the name may be one that the statement itself
            // gives to a subquery.
            AuthAction::Read {
                table_name,
                column_name: "",
            } if context.database_name.is_none() && !self.exists(table_name) => Ok(()),
            AuthAction::Read {
                table_name,
                column_name: "",
            } if context.database_name.is_none() => self.table(table_name),
            AuthAction::Read { table_name, .. } if own => self.table(table_name),
            AuthAction::Insert { table_name }
            | AuthAction::Delete { table_name }
            | AuthAction::Update { table_name, .. }
                if own =>
            {
                self.table(table_name)?;
                if self.access.write {
                    Ok(())
                } else {
                    Err("this only reads: no row can be changed".to_owned())
                }
            }
            AuthAction::Function { function_name } => match functions::allowed(function_name) {
                Some(input) => {
                    let input = if self.without_lists && functions::takes_list(function_name) {
                        Input::Any
                    } else {
                        input
                    };
                    let mut seen = self.seen();
                    seen.input = Some(seen.input.map_or(input, |before| before.min(input)));
                    Ok(())
                }
                None => Err(format!(
                    "the function `{}` is not allowed",
                    cut(function_name)
                )),
            },
            AuthAction::Read { table_name, .. }
            | AuthAction::Insert { table_name }
            | AuthAction::Delete { table_name }
            | AuthAction::Update { table_name, .. } => Err(self.no_table(table_name)),
            AuthAction::Pragma { .. } => Err("PRAGMA is not allowed".to_owned()),
            AuthAction::Attach { .. } | AuthAction::Detach { .. } => {
                Err("no other database can be attached".to_owned())
            }
            AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => Err(
                "each statement is a transaction of its own: none can be begun or ended".to_owned(),
            ),
            _ => Err(MADE.to_owned()),
        }
    }

    fn table(&self, name: &str) -> Result<(), String> {
        if name.to_ascii_lowercase().starts_with("sqlite_") {
            return Err(MADE.to_owned());
        }
        let granted = (self.access.tables.iter()).any(|table| table.eq_ignore_ascii_case(name));
        let plain = self.names.get(&name.to_ascii_lowercase()) == Some(&Kind::Plain);
        if granted && plain {
            Ok(())
        } else {
            Err(self.no_table(name))
        }
    }

    /// Whether it is a name of the database, or may be one of SQLite's own.
    fn exists(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        name.starts_with("sqlite_") || self.names.contains_key(&name)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to anything that asks for more than rows of tables.
const MADE: &str =
    "only rows of granted tables can be read and changed, not how the database is made";

/// Names of a statement that an error repeats, characters.
const SHOWN: usize = 100;

/// A name as an error shows it.
fn cut(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
