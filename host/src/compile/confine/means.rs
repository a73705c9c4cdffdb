//! What this machine can confine a compiler with: tried, not read from version numbers.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    Scope as LandlockScope,
};
use rustix::process::{Resource, getrlimit};

use super::{LANDLOCK, network};

/// See [`means`].
#[derive(Clone, Debug)]
pub struct Means {
    /// Number of the newest Landlock interface that works here, up to the newest that is asked for. `None` without one
    /// that can confine a compiler.
    pub landlock: Option<u32>,
    /// What that interface closes, and what of it is left to others.
    pub covers: String,
    /// Why the network can't be closed by a filter of system calls; `None` when it can.
    pub network: Option<String>,
    /// Whether address space, CPU time and file sizes can be limited below what they are.
    pub limits: bool,
}

/// The interfaces that have brought something, newest first, and what is theirs.
const INTERFACES: [(ABI, u32, &str); 5] = [
    (ABI::V6, 6, "signals, abstract sockets"),
    (ABI::V5, 5, "device controls"),
    (ABI::V4, 4, "TCP"),
    (ABI::V3, 3, "truncation"),
    (ABI::V2, 2, "files"),
];

/// Tries what a compiler is confined with. Nothing of this process is changed: a filter lies on a thread of its own.
pub fn means() -> Means {
    let found = INTERFACES
        .iter()
        .position(|(abi, ..)| *abi <= LANDLOCK && works(*abi));
    let covered: Vec<&str> = INTERFACES[found.unwrap_or(INTERFACES.len())..]
        .iter()
        .rev()
        .map(|(.., what)| *what)
        .collect();
    let closed = std::thread::Builder::new()
        .name("lacuna-doctor".to_owned())
        .spawn(network::close)
        .map(|thread| thread.join());
    let network = match closed {
        Ok(Ok(Ok(()))) => None,
        Ok(Ok(Err(error))) | Err(error) => Some(error.to_string()),
        Ok(Err(_)) => Some("the thread that tries it broke".to_owned()),
    };
    // A limit that is there can be lowered by whoever has it; a system without them says so here.
    let limits = [Resource::As, Resource::Cpu, Resource::Fsize]
        .into_iter()
        .all(|resource| getrlimit(resource).maximum != Some(0));
    Means {
        landlock: found.map(|at| INTERFACES[at].1),
        covers: covered.join(", "),
        network,
        limits,
    }
}

/// Whether the kernel takes every right of this interface.
fn works(abi: ABI) -> bool {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi));
    let rules = match abi >= ABI::V4 {
        true => rules.and_then(|rules| rules.handle_access(AccessNet::from_all(abi))),
        false => rules,
    };
    let rules = match abi >= ABI::V6 {
        true => rules.and_then(|rules| rules.scope(LandlockScope::from_all(abi))),
        false => rules,
    };
    rules.and_then(Ruleset::create).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::available;
    use super::*;

    #[test]
    fn what_is_told_is_what_compilers_are_confined_with() {
        let means = means();
        assert_eq!(means.landlock.is_some(), available());
        assert_eq!(means.landlock.is_some(), means.covers.starts_with("files"));
        assert!(means.limits);
        // The filter lies on another thread.
        assert!(std::net::UdpSocket::bind("127.0.0.1:0").is_ok());
    }
}
