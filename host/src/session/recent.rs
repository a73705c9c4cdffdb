//! The components that were linked last, so that the same snippet in the same scope is not encoded and checked again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::compile::CoreModule;
use crate::diagnostic::Rejection;
use crate::link::{self, LinkedComponent};
use crate::scope::Scope;

/// How many are kept: some hundred kilobytes each.
const KEPT: usize = 32;

/// The components that were linked last. Linking is a function of scope and module alone, so whoever asks again gets
/// what a second check would give.
#[derive(Default)]
pub(super) struct Recent {
    components: Mutex<VecDeque<(blake3::Hash, Arc<LinkedComponent>)>>,
}

impl Recent {
    /// [`link::check`], or what it gave for this scope and this module.
    pub(super) fn check(
        &self,
        scope: &Scope,
        module: CoreModule,
    ) -> Result<Arc<LinkedComponent>, Rejection> {
        let key = key(scope, &module);
        let lock = || {
            self.components
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = lock()
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, component)| Arc::clone(component));
        if let Some(component) = known {
            return Ok(component);
        }
        let component = Arc::new(link::check(scope, module)?);
        let mut components = lock();
        components.truncate(KEPT - 1);
        components.push_front((key, Arc::clone(&component)));
        Ok(component)
    }
}

/// What a linked component follows from: the scope, the code with its repairs, the module. Each part has its length
/// before it, so that no two are mistaken for others.
fn key(scope: &Scope, module: &CoreModule) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    let repairs = format!("{:?}", module.repaired);
    let parts = [
        scope.hash.as_bytes(),
        module.snippet.module.as_bytes(),
        repairs.as_bytes(),
        &module.wasm,
    ];
    for part in parts {
        hasher
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }
    hasher.finalize()
}
