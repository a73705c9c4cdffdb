//! Reading from a FIFO: like a file whose bytes are yet to come.
//!
//! No thread waits for them. The descriptor is non-blocking, the runtime tells when there is something to read, and
//! `host-call-wall` ends a wait for a writer that never comes.

use std::io;

use tokio::net::unix::pipe::Receiver;

use super::Refusal;
use super::types::FileError;
use crate::capability::outcome::LimitHit;

/// Bytes that are taken at a time: what a FIFO holds by default on Linux.
const STEP: usize = 64 * 1024;

/// An opened FIFO and what is wanted of it.
#[derive(Debug)]
pub(super) struct Pipe {
    /// Opened with `O_NONBLOCK`.
    pub(super) file: std::fs::File,
    /// As the guest wrote it.
    pub(super) path: String,
    /// Bytes to leave out at the start.
    pub(super) skip: u64,
    /// Bytes wanted after those; `None` for all.
    pub(super) wanted: Option<u64>,
    /// `max-file`: bytes that may come in all.
    pub(super) max_file: u64,
    /// `crossing`: bytes that may be handed on.
    pub(super) crossing: u64,
}

impl Pipe {
    /// Reads until the last writer has closed it, or what is wanted is there.
    pub(super) async fn read(self) -> Result<Vec<u8>, Refusal> {
        let path = self.path;
        let refuse = |error: io::Error| Refusal::from(FileError::of(&error, &path));
        let ready = Receiver::from_file(self.file).map_err(refuse)?;
        let mut bytes = Vec::new();
        let mut step = vec![0; STEP];
        let (mut skip, mut come) = (self.skip, 0_u64);
        while self
            .wanted
            .is_none_or(|wanted| (bytes.len() as u64) < wanted)
        {
            // Before any writer has come a read would say "end of file"; readiness is told only after one has.
            ready.readable().await.map_err(refuse)?;
            let got = match ready.try_read(&mut step) {
                Ok(0) => break,
                Ok(got) => got,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) =>
                {
                    continue;
                }
                Err(error) => return Err(refuse(error)),
            };
            come += got as u64;
            if come > self.max_file {
                return Err(FileError::TooLarge(path).into());
            }
            let skipped = skip.min(got as u64);
            skip -= skipped;
            let left = self
                .wanted
                .map_or(u64::MAX, |wanted| wanted - bytes.len() as u64);
            let fresh = &step[skipped as usize..got];
            let taken = usize::try_from(left).unwrap_or(usize::MAX).min(fresh.len());
            bytes.extend_from_slice(&fresh[..taken]);
            if bytes.len() as u64 > self.crossing {
                return Err(LimitHit {
                    name: "crossing",
                    at: self.crossing,
                    used: bytes.len() as u64,
                }
                .into());
            }
        }
        Ok(bytes)
    }
}
