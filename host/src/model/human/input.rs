//! Standard input, to its end.
#![expect(
    clippy::disallowed_methods,
    reason = "a person's answer may come from standard input"
)]

use std::io::{self, IsTerminal, Read};

use crate::model::ModelError;

/// Whether someone sits there.
pub(super) fn is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Everything that comes; `None` when it is more than `most` bytes.
pub(super) async fn read(most: u64) -> Result<Option<Vec<u8>>, ModelError> {
    let failed = |cause: String| ModelError::Handover {
        action: "read standard input",
        cause,
    };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    // A thread of its own, which nobody waits for: a read cannot be taken back, and the end of the program must not
    // wait for a person.
    std::thread::Builder::new()
        .name("standard input".to_owned())
        .spawn(move || {
            let mut bytes = Vec::new();
            let mut input = io::stdin().lock().take(most.saturating_add(1));
            let read = input.read_to_end(&mut bytes);
            // Whoever asked may be gone.
            let _ = sender.send(read.map(|_| bytes));
        })
        .map_err(|error| failed(error.to_string()))?;
    let bytes = receiver
        .await
        .map_err(|_| failed("the reader ended early".to_owned()))?
        .map_err(|error| failed(error.to_string()))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
