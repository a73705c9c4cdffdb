//! A machine that cannot confine a compiler: no snippet is compiled there, unless the user says so.
//!
//! The machine is this one, with the calls taken away that such a kernel does not have: a filter of system calls answers
//! in its place, and holds for everything that the program starts.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

mod support;

use support::cache::Cache;
use support::kernel::{self, LANDLOCK};
use support::plan::{Plan, json};
use support::program::{self, Ended};

/// Runs `lacuna` where these calls fail with this error.
fn without(
    calls: &'static [i64],
    error: i32,
    plan: &Plan,
    cache: &Cache,
    arguments: &[&str],
) -> Ended {
    kernel::without(calls, error, || {
        program::run_with(&plan.folder, arguments, &[cache.variable()])
    })
}

const CHECK: [&str; 6] = [
    "check",
    "plan.wit",
    "--snippet",
    "snippet.rs",
    "--format",
    "json",
];

fn plan() -> Plan {
    let plan = Plan::new("world hole { export run: func() -> string; }", "");
    plan.write("snippet.rs", "format!(\"{:?}\", [1, 2])");
    plan
}

#[test]
fn no_landlock_is_refused_before_anything_is_compiled() {
    // No system call of the name, and one that is switched off at boot.
    for error in [libc::ENOSYS, libc::EOPNOTSUPP] {
        let (plan, cache) = (plan(), Cache::with_sdk());
        for command in ["check", "run"] {
            let arguments = [command, "plan.wit", "--snippet", "snippet.rs"];
            let ended = without(&LANDLOCK, error, &plan, &cache, &arguments);
            assert_eq!(ended.code, Some(2), "{ended:?}");
            assert_eq!(ended.stdout, "");
            for words in [
                "error: this machine cannot confine a compiler: its kernel has no Landlock\n",
                "hint: run on Linux 5.19 or newer, or pass --allow-unconfined-compile",
            ] {
                assert!(ended.stderr.contains(words), "{ended:?}");
            }
        }
        assert!(!cache.folder.join("work").exists(), "no work was begun");
        assert!(!cache.folder.join("bindings").exists());
    }
}

#[test]
fn who_allows_it_gets_the_same_verdict_unconfined() {
    let (plan, cache) = (plan(), Cache::with_sdk());
    let arguments = [&CHECK[..], &["--allow-unconfined-compile"]].concat();
    let ended = without(&LANDLOCK, libc::ENOSYS, &plan, &cache, &arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let confined = Cache::with_sdk();
    let usual = program::run_with(&plan.folder, CHECK, &[confined.variable()]);
    assert_eq!(json(&ended)["hash"], json(&usual)["hash"]);
    // Names are closed by the scope, not by the kernel.
    plan.write("snippet.rs", "include_str!(\"/etc/hostname\").to_string()");
    let ended = without(&LANDLOCK, libc::ENOSYS, &plan, &cache, &arguments);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    cache.is_clean("afterwards");
}

#[test]
fn a_kernel_that_cannot_close_the_network_is_no_verdict() {
    let (plan, cache) = (plan(), Cache::with_sdk());
    let ended = without(&[libc::SYS_seccomp], libc::EINVAL, &plan, &cache, &CHECK);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.stderr.contains("cannot close the network"),
        "{ended:?}"
    );
    cache.is_clean("afterwards");
}
