//! What is read from a program, within bounds.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes of stderr that are kept, the last ones.
const KEPT: usize = 16 * 1024;

/// Bytes that are read at once.
const BUFFER: usize = 16 * 1024;

/// Reads to the end; `false` as soon as there is more than `most` bytes.
pub(super) async fn read_at_most(
    mut pipe: impl AsyncRead + Unpin,
    kept: &mut Vec<u8>,
    most: usize,
    received: &(dyn Fn(u64) + Send + Sync),
) -> bool {
    let mut buffer = vec![0; BUFFER];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        if kept.len() + count > most {
            return false;
        }
        kept.extend_from_slice(&buffer[..count]);
        received(kept.len() as u64);
    }
    true
}

/// The last words of a program. A program that complains without end fills no memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    /// Reads to the end.
    pub(crate) async fn read(self, mut pipe: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; BUFFER];
        while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&buffer[..count]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    }

    /// What was kept, invalid UTF-8 replaced.
    pub(crate) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}
