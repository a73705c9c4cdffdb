//! No network: Landlock knows TCP from Linux 6.7 on, and other protocols and the sockets of local services later or never.
//! A filter of system calls closes the door before all of them.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// Calls that give a socket, of any kind: `io_uring` can make one without a call of its own. Neither rustc nor rust-lld
/// makes either (`tests/opened.rs`).
const GIVES_SOCKETS: [i64; 2] = [libc::SYS_socket, libc::SYS_io_uring_setup];

/// Takes from this thread, and so from the child it spawns, every way to a socket that is not open yet.
pub(super) fn close() -> io::Result<()> {
    // No conditions on arguments: the call itself.
    let calls: BTreeMap<i64, Vec<_>> = GIVES_SOCKETS.map(|call| (call, Vec::new())).into();
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let closed = || -> Result<(), seccompiler::Error> {
        let arch = std::env::consts::ARCH.try_into()?;
        let filter = SeccompFilter::new(calls, SeccompAction::Allow, denied, arch)?;
        let program: BpfProgram = filter.try_into()?;
        seccompiler::apply_filter(&program)
    };
    closed().map_err(|error| {
        io::Error::other(format!(
            "this kernel cannot close the network for it ({error})"
        ))
    })
}
