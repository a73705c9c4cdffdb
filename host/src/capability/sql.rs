//! `lacuna:sql`: statements on granted tables of one SQLite database.
//!
//! Three walls, one behind the other. `access` answers SQLite's question at every table, column and function while it
//! compiles a statement, and knows only what is granted. The connection is opened with all that SQLite has for text from
//! strangers (`database`): for reading alone unless rows may be changed, no attached databases, no trusted schema. And each
//! statement runs within bounds of rows, bytes, memory and steps (`statement`) in a transaction of its own.
//!
//! A program that opens and closes the same file by other means in this process takes SQLite's locks away (POSIX has it so):
//! a folder that is granted to a hole should not hold the database.

mod access;
mod database;
mod fault;
mod functions;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod types;

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::LinkerInstance;

use super::call::{Bounds, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::refusal::serve;
use super::{CapabilityError, Provide};
use crate::grant::SqlGrant;
use crate::scope::{ScopeFunction, ScopeImport};
use access::Access;
use database::Database;
use statement::{Purpose, Task};
use types::{Refusal, Rows, Value};

/// The databases that a session has opened.
#[derive(Debug, Default)]
pub(crate) struct State {
    databases: Mutex<Vec<Arc<Database>>>,
}

impl State {
    fn database(&self, grant: &SqlGrant) -> Result<Arc<Database>, String> {
        let mut databases = self
            .databases
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = databases
            .iter()
            .find(|database| database.is_at(&grant.file));
        let database = match known {
            Some(database) => Arc::clone(database),
            None => {
                let database = Arc::new(Database::new(&grant.file)?);
                databases.push(Arc::clone(&database));
                database
            }
        };
        drop(databases);
        database.look(grant.write)?;
        Ok(database)
    }
}

/// One grant on a database.
pub(crate) struct Tables {
    tables: Arc<Granted>,
}

/// What a call needs.
struct Granted {
    database: Arc<Database>,
    access: Arc<Access>,
    max_rows: u64,
}

impl Tables {
    /// Opens the granted file.
    pub(crate) fn open(
        import: &ScopeImport,
        grant: &SqlGrant,
        state: &State,
    ) -> Result<Self, CapabilityError> {
        let granted = Granted::new(grant, state).map_err(|reason| CapabilityError::Store {
            label: import.label.clone(),
            reason,
        })?;
        Ok(Self {
            tables: Arc::new(granted),
        })
    }
}

impl Granted {
    fn new(grant: &SqlGrant, state: &State) -> Result<Self, String> {
        Ok(Self {
            database: state.database(grant)?,
            access: Arc::new(Access {
                tables: grant.tables.clone(),
                write: grant.write,
            }),
            max_rows: grant.max_rows,
        })
    }

    fn query(&self, text: &str, parameters: &[Value], bounds: &Bounds) -> Result<Rows, Refusal> {
        let task = self.task(Purpose::Query, text, parameters);
        self.database.read(&self.access, task, bounds)
    }

    fn execute(&self, text: &str, parameters: &[Value], bounds: &Bounds) -> Result<u64, Refusal> {
        let task = self.task(Purpose::Execute, text, parameters);
        let (_, changed) = self.database.write(&self.access, task, bounds)?;
        Ok(changed)
    }

    fn returning(
        &self,
        text: &str,
        parameters: &[Value],
        bounds: &Bounds,
    ) -> Result<Rows, Refusal> {
        let task = self.task(Purpose::Returning, text, parameters);
        let (rows, _) = self.database.write(&self.access, task, bounds)?;
        Ok(rows)
    }

    fn task<'a>(&self, purpose: Purpose, text: &'a str, parameters: &'a [Value]) -> Task<'a> {
        Task {
            purpose,
            text,
            parameters,
            max_rows: self.max_rows,
        }
    }
}

/// What every function is given.
type Given = (String, Vec<Value>);

impl Provide for Tables {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let tables = &self.tables;
        match function.wit.as_str() {
            "query" => serve(
                target,
                site,
                tables,
                |tables, (text, given): &Given, bounds| tables.query(text, given, bounds),
            ),
            "execute" => serve(
                target,
                site,
                tables,
                |tables, (text, given): &Given, bounds| tables.execute(text, given, bounds),
            ),
            "execute-returning" => serve(
                target,
                site,
                tables,
                |tables, (text, given): &Given, bounds| tables.returning(text, given, bounds),
            ),
            _ => Err(CapabilityError::Unknown {
                import: site.import.clone(),
                function: function.wit.clone(),
            }),
        }
    }
}
