//! Many calls at once, and what is left when they are over.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lacuna::Lacuna;
use serde_json::json;

use super::support::program::{self, PROGRAM};
use super::tools::calc;

/// Calls in all, and how many of them are under way at once.
const CALLS: usize = 1000;
const AT_ONCE: usize = 8;

fn entries(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_calls_eight_at_once() {
    let plan = calc("export run: func(fail: bool) -> u32;", "");
    let lacuna = Lacuna::builder()
        .cache(program::cache())
        .compiler_process(PROGRAM)
        .build()
        .unwrap();
    let session = lacuna.load(plan.folder.join("plan.wit")).unwrap();
    let code = "if fail { calc::misbehave(How::Panic) } else { calc::count() }";
    let fill = session.hole("hole").unwrap().fill_with(code).await.unwrap();
    // Threads that the runtime starts once are there from now on.
    fill.call(json!({ "fail": false })).await.unwrap();
    let descriptors = entries("/proc/self/fd");
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (fill, next) = (fill.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                let mut counts = Vec::new();
                while next.fetch_add(1, Ordering::Relaxed) < CALLS {
                    let called = fill.call(json!({ "fail": false })).await.unwrap();
                    counts.push(called.get::<u32>().unwrap());
                }
                counts
            })
        })
        .collect();
    let mut counts = BTreeSet::new();
    for worker in workers {
        counts.extend(worker.await.unwrap());
    }
    // One instance served them, one call after the other: no count was told twice.
    assert_eq!(counts, (2..=u32::try_from(CALLS).unwrap() + 1).collect());

    // After a failure there is a fresh instance, which has counted nothing.
    let failed = fill.call(json!({ "fail": true })).await.unwrap_err();
    assert!(
        failed
            .to_string()
            .contains("the tool `calc` failed in `misbehave`"),
        "{failed}"
    );
    let called = fill.call(json!({ "fail": false })).await.unwrap();
    assert_eq!(called.get::<u32>().unwrap(), 1);

    // Another session has its own.
    let other = lacuna.load(plan.folder.join("plan.wit")).unwrap();
    let other = other.hole("hole").unwrap().fill_with(code).await.unwrap();
    let called = other.call(json!({ "fail": false })).await.unwrap();
    assert_eq!(called.get::<u32>().unwrap(), 1);

    drop((fill, session, other));
    assert!(
        entries("/proc/self/fd") <= descriptors,
        "descriptors are left open"
    );
}
