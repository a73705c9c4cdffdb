//! Reads and writes while somebody swaps what lies on their way: folders and files inside for links that lead out, and
//! folders that leave the tree in the middle of a path with `..`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::{Value, json};

use super::guest::Granted;
use super::tree::{INSIDE, OUTSIDE, Tree};

/// Reads and writes that are tried, and those that must have met the other state.
const READS: u32 = 100_000;
const WRITES: u32 = 20_000;
const MET: u32 = 1_000;

/// A tree whose ways lead inside in one state, and out in the other.
fn tree() -> Tree {
    let tree = Tree::new();
    for folder in [
        "data/folder/deep",
        "data/moved/deep",
        "data/target",
        "outside/deep",
    ] {
        fs::create_dir_all(tree.beside(folder)).unwrap();
    }
    for file in [
        "folder/file",
        "folder/deep/file",
        "moved/deep/file",
        "target/file",
    ] {
        fs::write(tree.data().join(file), INSIDE).unwrap();
    }
    fs::write(tree.beside("outside/deep/file"), OUTSIDE).unwrap();
    // What is swapped with `folder`, `one` and `end`; the last is where a chain of links ends.
    tree.link("folder.other", "../outside");
    fs::write(tree.data().join("one"), INSIDE).unwrap();
    tree.link("one.other", "{x}/outside/file");
    tree.link("chain", "a/next");
    tree.link("a/next", "../end/file");
    tree.link("end", "target");
    tree.link("end.other", "../outside");
    tree
}

/// Swaps in a thread until it is stopped, and leaves all as it was.
struct Swapping {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<u64>,
}

impl Swapping {
    fn start(tree: &Tree) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let data = tree.data();
        let pairs = ["folder", "one", "end"].map(|name| {
            let other = data.join(format!("{name}.other"));
            (data.join(name), other)
        });
        let (home, away) = (data.join("moved"), tree.beside("outside/moved"));
        let thread = std::thread::spawn({
            let stop = Arc::clone(&stop);
            move || {
                let mut rounds = 0;
                while !stop.load(Ordering::Relaxed) {
                    pairs.iter().for_each(|(one, other)| exchange(one, other));
                    fs::rename(&home, &away).unwrap();
                    pairs.iter().for_each(|(one, other)| exchange(one, other));
                    fs::rename(&away, &home).unwrap();
                    rounds += 1;
                }
                rounds
            }
        });
        Self { stop, thread }
    }

    /// How often all was swapped.
    fn end(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// Both at once, so that there is never nothing at the path.
fn exchange(one: &Path, other: &Path) {
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
}

/// Ways through what is swapped.
const WAYS: [&str; 10] = [
    "folder/file",
    "folder/deep/file",
    "folder/deep/../file",
    "folder/../folder/./file",
    "one",
    "a/../one",
    "chain",
    "moved/../folder/file",
    "moved/deep/../../one",
    "moved/deep/../../folder/deep/../deep/file",
];

fn count(met: &BTreeMap<(usize, String), u32>, answer: &str) -> u32 {
    met.iter()
        .filter(|((_, given), _)| given == answer)
        .map(|(_, times)| times)
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_read_gets_what_is_outside() {
    let tree = tree();
    let granted = Granted::new(&tree.data(), "");
    let before = tree.outside();
    let ops: Vec<Value> = WAYS
        .iter()
        .map(|path| json!({ "read-text": path }))
        .collect();
    // Compiled before the swapping starts.
    granted.often(&ops, 1).await;
    let swapping = Swapping::start(&tree);
    let started = Instant::now();
    let met = granted.often(&ops, READS).await;
    let elapsed = started.elapsed();
    let rounds = swapping.end();
    let inside = format!("{INSIDE:?}");
    let known = [&inside, "Error::Denied", "Error::NotFound"];
    for ((op, answer), times) in &met {
        assert!(
            known.contains(&answer.as_str()),
            "{}: {answer} {times} times",
            WAYS[*op]
        );
    }
    assert_eq!(met.values().sum::<u32>(), READS);
    // The refusal is the other state, seen by the read itself.
    let (within, out) = (count(&met, &inside), count(&met, "Error::Denied"));
    println!("{READS} reads in {elapsed:?}, {rounds} rounds: {within} inside, {out} refused");
    assert!(
        within >= MET && out >= MET,
        "{rounds} rounds in {elapsed:?}: {met:?}"
    );
    assert_eq!(tree.outside(), before);
}

/// The swapping is quick enough to deceive a reader that looks where a path leads and opens it afterwards.
#[test]
fn a_reader_that_looks_first_is_deceived() {
    let tree = tree();
    let data = tree.data();
    let swapping = Swapping::start(&tree);
    let started = Instant::now();
    let mut deceived = false;
    while !deceived && started.elapsed() < Duration::from_secs(60) {
        for way in WAYS {
            let path = data.join(way);
            let leads_inside = path
                .canonicalize()
                .is_ok_and(|real| real.starts_with(&data));
            deceived |= leads_inside && fs::read_to_string(&path).is_ok_and(|text| text == OUTSIDE);
        }
    }
    swapping.end();
    assert!(deceived, "not once in a minute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_write_reaches_what_is_outside() {
    let tree = tree();
    let granted = Granted::new(&tree.data(), "");
    let before = tree.outside();
    let ops = [
        json!({ "write": ["folder/file", INSIDE] }),
        json!({ "write": ["one", INSIDE] }),
        json!({ "write": ["chain", INSIDE] }),
        json!({ "write": ["moved/../folder/new-{}", INSIDE] }),
        json!({ "append": ["folder/log", "x"] }),
        json!({ "append": ["end/log-{}", "x"] }),
        json!({ "create-folder": "folder/made-{}/deep" }),
        json!({ "create-folder": "folder/../end/made-{}" }),
        json!({ "remove": "folder/deep/file" }),
        json!({ "write": ["folder/deep/file", INSIDE] }),
        json!({ "remove": "end/file" }),
        json!({ "write": ["end/file", INSIDE] }),
        json!({ "rename": ["a/file", "folder/mine-{}"] }),
        json!({ "write": ["a/file", INSIDE] }),
        json!({ "rename": ["folder/deep/file", "stolen-{}"] }),
        json!({ "rename": ["end/file", "a/b/stolen-{}"] }),
    ];
    granted.often(&ops, 0).await;
    let swapping = Swapping::start(&tree);
    let met = granted.often(&ops, WRITES).await;
    let rounds = swapping.end();
    assert_eq!(met.values().sum::<u32>(), WRITES);
    let (done, out) = (count(&met, "()"), count(&met, "Error::Denied"));
    println!("{WRITES} changes, {rounds} rounds: {done} done, {out} refused");
    assert!(done >= MET && out >= MET, "{rounds} rounds: {met:?}");
    assert_eq!(tree.outside(), before, "{met:?}");
    // Nothing of the outside was moved in.
    let mut waiting: Vec<PathBuf> = vec![tree.data()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                assert_ne!(fs::read_to_string(&path).unwrap(), OUTSIDE, "{path:?}");
            }
        }
    }
}
