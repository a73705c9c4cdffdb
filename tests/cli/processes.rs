//! Which processes there are: nothing that the program has started may outlive it.

use std::fs;
use std::time::{Duration, Instant};

/// A process: its number and when it was started, since numbers are used again.
pub(crate) type Process = (u32, u64, String);

/// From now on the orphans of everything below are children of this process, where they can be counted.
pub(crate) fn adopt_orphans() {
    let own = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(own)).unwrap();
}

/// Children of this process that still run when every test has ended.
pub(crate) fn left_behind() -> Vec<Process> {
    let started = Instant::now();
    loop {
        let left = children(std::process::id());
        // What was killed may need a moment to go.
        if left.is_empty() || started.elapsed() > Duration::from_secs(1) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Everything below a process.
pub(crate) fn descendants(parent: u32) -> Vec<Process> {
    let mut found = children(parent);
    let mut next = 0;
    while let Some((pid, ..)) = found.get(next) {
        found.extend(children(*pid));
        next += 1;
    }
    found
}

/// Whether it still runs; a zombie does not.
pub(crate) fn is_alive(process: &Process) -> bool {
    stat(process.0).is_some_and(|(_, found)| found == *process)
}

fn children(parent: u32) -> Vec<Process> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(stat)
        .filter(|(its_parent, _)| *its_parent == parent)
        .map(|(_, process)| process)
        .collect()
}

/// The parent and the process, unless it is gone.
fn stat(pid: u32) -> Option<(u32, Process)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, parentheses too.
    let (before, after) = text.rsplit_once(") ")?;
    let name = before.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = after.split(' ').collect();
    let started = fields.get(19)?.parse().ok()?;
    (fields.first() != Some(&"Z") && fields.first() != Some(&"X"))
        .then(|| Some((fields.get(1)?.parse().ok()?, (pid, started, name))))?
}
