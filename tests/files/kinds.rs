//! What is no file or no folder, files of several names, and files that change while they are read.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use serde_json::{Value, json};

use super::guest::{Granted, error};
use super::tree::{INSIDE, OUTSIDE, Tree};

#[tokio::test]
async fn a_folder_is_no_file_and_a_file_no_folder() {
    let tree = Tree::new();
    let granted = Granted::new(&tree.data(), "");
    let cases = [
        (json!({ "read-text": "a" }), error("NotAFile", "a")),
        (json!({ "read": ["a", 0, 1] }), error("NotAFile", "a")),
        (json!({ "write": ["a", "x"] }), error("NotAFile", "a")),
        (json!({ "write": ["a/", "x"] }), error("NotAFile", "a/")),
        (json!({ "write": ["new/", "x"] }), error("NotAFile", "new/")),
        (json!({ "append": ["a", "x"] }), error("NotAFile", "a")),
        (json!({ "append": [".", "x"] }), error("NotAFile", ".")),
        (
            json!({ "append": ["a/..", "x"] }),
            error("NotAFile", "a/.."),
        ),
        (json!({ "entries": "file" }), error("NotAFolder", "file")),
        (json!({ "walk": "a/file" }), error("NotAFolder", "a/file")),
        (
            json!({ "entries": "file/x" }),
            error("NotAFolder", "file/x"),
        ),
        (json!({ "create-folder": "file" }), error("Exists", "file")),
        (
            json!({ "create-folder": "file/x" }),
            error("NotAFolder", "file/x"),
        ),
        (json!({ "create-folder": "a/b" }), "()".to_owned()),
        (json!({ "create-folder": "." }), "()".to_owned()),
        (json!({ "create-folder": "a/.." }), "()".to_owned()),
        (json!({ "remove": "a" }), error("NotEmpty", "a")),
        (json!({ "remove": "file/" }), error("NotAFolder", "file/")),
        (json!({ "remove": "." }), error("Invalid", ".")),
        (json!({ "remove": "a/b/.." }), error("Invalid", "a/b/..")),
        (json!({ "rename": ["a", "file"] }), error("Exists", "file")),
        (
            json!({ "rename": ["a", "a/b/c"] }),
            error("Invalid", "a/b/c"),
        ),
        (json!({ "glob": "file/*" }), "[]".to_owned()),
        (json!({ "read-text": "file" }), format!("{INSIDE:?}")),
    ];
    let (ops, expected): (Vec<Value>, Vec<String>) = cases.into_iter().unzip();
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
}

/// A device could do something when it is opened, so none is; a FIFO may be read (and is waited for) but not written.
#[tokio::test]
async fn nothing_but_files_is_written() {
    let tree = Tree::new();
    let mode = Mode::RUSR | Mode::WUSR;
    for (name, kind) in [("socket", FileType::Socket), ("fifo", FileType::Fifo)] {
        mknodat(CWD, tree.data().join(name), kind, mode, 0).unwrap();
    }
    tree.link("to-fifo", "fifo");
    tree.link("to-socket", "socket");
    // Without it the FIFO would refuse a writer of itself.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK;
    let _reader = rustix::fs::open(tree.data().join("fifo"), flags, Mode::empty()).unwrap();
    let granted = Granted::new(&tree.data(), "");
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for path in ["fifo", "socket", "to-fifo", "to-socket"] {
        for (op, case) in [
            (json!({ "write": [path, "x"] }), "NotAFile"),
            (json!({ "append": [path, "x"] }), "NotAFile"),
            (json!({ "entries": path }), "NotAFolder"),
            (json!({ "create-folder": path }), "Exists"),
            (json!({ "rename": ["file", path] }), "Exists"),
        ] {
            ops.push(op);
            expected.push(error(case, path));
        }
        ops.push(json!({ "metadata": path }));
        expected.push("(Other, 0)".to_owned());
    }
    for path in ["socket", "fifo"] {
        ops.push(json!({ "rename": [path, "moved"] }));
        ops.push(json!({ "remove": "moved" }));
        expected.extend(["()".to_owned(), "()".to_owned()]);
    }
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
}

#[tokio::test]
async fn no_device_of_a_granted_folder_is_opened() {
    let granted = Granted::new(Path::new("/dev"), "");
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for path in ["null", "zero", "full", "random", "tty"] {
        if !Path::new("/dev").join(path).exists() {
            continue;
        }
        for op in [
            json!({ "read-text": path }),
            json!({ "read": [path, 0, 10] }),
            json!({ "write": [path, "x"] }),
            json!({ "append": [path, "x"] }),
        ] {
            ops.push(op);
            expected.push(error("NotAFile", path));
        }
    }
    assert!(!ops.is_empty());
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
}

/// A second name of a file is the file itself: no path says where its other names are. Who grants a folder grants the
/// files that have a name in it; a guest can't give one a second name.
#[tokio::test]
async fn hard_links_are_the_file_itself() {
    let tree = Tree::new();
    fs::hard_link(tree.data().join("file"), tree.data().join("a/second")).unwrap();
    fs::hard_link(tree.beside("file"), tree.data().join("from-outside")).unwrap();
    let granted = Granted::new(&tree.data(), "");
    let cases = [
        (json!({ "write": ["a/second", "changed"] }), "()".to_owned()),
        (json!({ "read-text": "file" }), "\"changed\"".to_owned()),
        (
            json!({ "rename": ["file", "a/second"] }),
            error("Exists", "a/second"),
        ),
        (json!({ "remove": "file" }), "()".to_owned()),
        (json!({ "read-text": "a/second" }), "\"changed\"".to_owned()),
        (
            json!({ "read-text": "from-outside" }),
            format!("{OUTSIDE:?}"),
        ),
        (
            json!({ "rename": ["from-outside", "a/x"] }),
            "()".to_owned(),
        ),
        (json!({ "remove": "a/x" }), "()".to_owned()),
    ];
    let (ops, expected): (Vec<Value>, Vec<String>) = cases.into_iter().unzip();
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
    assert_eq!(fs::read_to_string(tree.beside("file")).unwrap(), OUTSIDE);
}

/// Reads of a file that somebody fills, cuts, removes and makes anew: what is read is a part of what was written, never
/// longer than `max-file`, and never a failure of the guest.
#[tokio::test]
async fn a_file_that_grows_shrinks_and_vanishes() {
    const MAX: usize = 1024;
    let tree = Tree::new();
    let path = tree.data().join("log");
    let granted = Granted::new(&tree.data(), "max-file = \"1KiB\"");
    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            while !stop.load(Ordering::Relaxed) {
                let mut file = fs::File::create(&path).unwrap();
                for _ in 0..4 {
                    // To 1.5 KiB, and back to less.
                    for _ in 0..6 {
                        file.write_all(&[b'x'; 256]).unwrap();
                    }
                    file.set_len(100).unwrap();
                    file = fs::File::options().append(true).open(&path).unwrap();
                }
                fs::remove_file(&path).unwrap();
            }
        }
    });
    let ops: Vec<Value> = [
        json!({ "read-text": "log" }),
        json!({ "read": ["log", 0, 4096] }),
        json!({ "read": ["log", 50, 4096] }),
        json!({ "read": ["log", 1000, u64::MAX] }),
        json!({ "metadata": "log" }),
        json!({ "entries": "." }),
    ]
    .into();
    let met = granted.often(&ops, 12_000).await;
    stop.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    let mut errors = std::collections::BTreeSet::new();
    for (op, answer) in met.keys() {
        match answer.strip_prefix('"') {
            Some(text) => {
                // While a file is cut the system shows zeros in place of what goes.
                let text = text.trim_end_matches('"').replace("\\0", "\0");
                let rest = text.trim_start_matches('x');
                assert!(
                    text.len() <= MAX && rest.bytes().all(|byte| byte == 0),
                    "{op}: {text:?}"
                );
                lengths.insert(text.len());
            }
            None if answer.starts_with("Error") => drop(errors.insert(answer.as_str())),
            None => assert!(*op >= 4, "{op}: {answer}"),
        }
    }
    // It did change under the reads.
    assert!(lengths.len() > 3, "{lengths:?}");
    assert_eq!(
        Vec::from_iter(errors),
        ["Error::NotFound", "Error::TooLarge"]
    );
}
