//! Stand-in until the core is merged.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::call::Bounds;
use super::outcome::Failure;
use crate::value::{Named, Type, Value};

/// An import.
#[derive(Clone, Debug)]
pub struct ImportType {
    /// Label.
    pub label: String,
    /// Interface.
    pub interface: Option<String>,
    /// Functions.
    pub functions: Vec<FunctionType>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionType {
    /// Label of the import.
    pub import: String,
    /// WIT name.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<Named>,
    /// Result.
    pub result: Option<Type>,
}

/// A call.
pub(crate) struct ToolCall {
    pub(crate) function: Arc<FunctionType>,
    pub(crate) arguments: Vec<Value>,
    pub(crate) bounds: Bounds,
}

/// Serves.
pub(crate) trait Provider: Send + Sync {
    fn check(&self, _import: &ImportType) -> Result<(), String> {
        Ok(())
    }
    fn open(&self, import: &ImportType) -> Result<Arc<dyn Serve>, String>;
}

/// State.
pub(crate) trait Serve: Send + Sync {
    fn link(&self, _function: &FunctionType) -> Result<(), String> {
        Ok(())
    }
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>>;
}
