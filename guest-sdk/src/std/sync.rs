//! Shared ownership and lazy values. What waits for another thread would wait for ever and is left out.

pub use ::std::sync::{
    Arc, LazyLock, LockResult, Mutex, MutexGuard, Once, OnceLock, OnceState, PoisonError, RwLock,
    RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult, Weak, atomic,
};
