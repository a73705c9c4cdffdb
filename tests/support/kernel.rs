//! Kernels that lack something: this one, with system calls taken away by a filter that answers in their place, and disks
//! of a size that a test chooses.

use std::collections::BTreeMap;
use std::process::Command;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// What a kernel has that knows Landlock.
pub(crate) const LANDLOCK: [i64; 3] = [
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// Does `work` where these calls fail with this error, for everything that it starts too.
pub(crate) fn without<T: Send>(
    calls: &'static [i64],
    error: i32,
    work: impl FnOnce() -> T + Send,
) -> T {
    std::thread::scope(|threads| {
        // The filter is for this thread alone, and for what it starts.
        let run = threads.spawn(|| {
            let rules: BTreeMap<i64, Vec<_>> =
                calls.iter().map(|call| (*call, Vec::new())).collect();
            let denied = SeccompAction::Errno(error.unsigned_abs());
            let arch = std::env::consts::ARCH.try_into().unwrap();
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, arch).unwrap();
            let filter: BpfProgram = filter.try_into().unwrap();
            seccompiler::apply_filter(&filter).unwrap();
            work()
        });
        run.join().unwrap()
    })
}

/// What starts a program behind a shell script, in a mount namespace of its own: what the script mounts is seen by no
/// other process and goes with this one. `$disk` is the script's first argument.
pub(crate) fn behind(script: &str, disk: &std::path::Path) -> Command {
    let mut command = Command::new("unshare");
    // Where it is another user who tests, that user is root of a namespace.
    command
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .arg(format!("disk=$1; shift; {script} && exec \"$@\""))
        .arg("sh")
        .arg(disk);
    command
}
