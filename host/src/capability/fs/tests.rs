//! The functions on a real folder.

mod changes;
mod paths;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::Refusal;
use super::folder::{Content, Folder};
use super::types::{Entry, FileError, Kind};
use crate::capability::call::Bounds;
use crate::grant::FolderGrant;

fn bounds() -> Bounds {
    Bounds::new(1000, 1 << 20)
}

fn granted() -> (tempfile::TempDir, Folder) {
    let root = tempfile::tempdir().unwrap();
    let folder = opened(root.path()).unwrap();
    (root, folder)
}

/// The folder as a grant has it, with files of 100 bytes at most.
fn opened(root: &Path) -> std::io::Result<Folder> {
    Folder::open(&FolderGrant {
        root: root.canonicalize().unwrap(),
        max_file: 100,
    })
}

#[track_caller]
fn error<T: std::fmt::Debug>(result: Result<T, Refusal>) -> FileError {
    match result {
        Err(Refusal::Error(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// A part of a regular file.
fn part(
    folder: &Folder,
    path: &str,
    offset: u64,
    length: u64,
    bounds: &Bounds,
) -> Result<Vec<u8>, Refusal> {
    match folder.part(path, offset, length, bounds)? {
        Content::Bytes(bytes) => Ok(bytes),
        Content::Pipe(pipe) => panic!("{pipe:?}"),
    }
}

fn paths(entries: Vec<Entry>) -> Vec<String> {
    entries.into_iter().map(|entry| entry.path).collect()
}

#[test]
fn offset_and_length_are_clamped() {
    let (root, folder) = granted();
    fs::write(root.path().join("x"), "0123456789").unwrap();
    for (offset, length, expected) in [
        (0, 3, "012"),
        (8, u64::MAX, "89"),
        (10, 1, ""),
        (u64::MAX, u64::MAX, ""),
        (3, 0, ""),
        (3, 7, "3456789"),
    ] {
        let read = part(&folder, "x", offset, length, &bounds()).unwrap();
        assert_eq!(read, expected.as_bytes(), "{offset} {length}");
    }
    // A part of a file that is larger than `max-file` can be read, the whole can't.
    fs::write(root.path().join("big"), [b'x'; 1000]).unwrap();
    assert_eq!(
        part(&folder, "big", 900, 100, &bounds()).unwrap().len(),
        100
    );
    let large = error(part(&folder, "big", 0, 1000, &bounds()));
    assert_eq!(large, FileError::TooLarge("big".into()));
}

#[test]
fn listings_show_links_and_do_not_follow_them() {
    let (root, folder) = granted();
    fs::create_dir_all(root.path().join("src/inner")).unwrap();
    fs::write(root.path().join("src/a.rs"), "12345").unwrap();
    fs::write(root.path().join("src/inner/b.rs"), "").unwrap();
    fs::write(root.path().join("two\nlines"), "").unwrap();
    fs::write(root.path().join(OsStr::from_bytes(b"bad\xff")), "").unwrap();
    symlink("..", root.path().join("src/loop")).unwrap();
    symlink("/etc", root.path().join("etc")).unwrap();
    assert_eq!(
        paths(folder.walk(".", &bounds()).unwrap()),
        [
            "bad\u{fffd}",
            "etc",
            "src",
            "src/a.rs",
            "src/inner",
            "src/inner/b.rs",
            "src/loop",
            "two\nlines"
        ]
    );
    let entries = folder.entries("./src", &bounds()).unwrap();
    assert_eq!(
        entries[0],
        Entry {
            path: "src/a.rs".into(),
            kind: Kind::File,
            size: 5
        }
    );
    assert_eq!(entries[2].kind, Kind::Link);
    assert_eq!(paths(entries), ["src/a.rs", "src/inner", "src/loop"]);
    // A link that leads out is not entered; one that stays inside may be.
    assert_eq!(
        error(folder.entries("etc", &bounds())),
        FileError::Denied("etc".into())
    );
    assert!(folder.entries("src/loop", &bounds()).is_ok());
    assert_eq!(
        error(folder.entries("src/a.rs", &bounds())),
        FileError::NotAFolder("src/a.rs".into())
    );
}

#[test]
fn patterns() {
    let (root, folder) = granted();
    fs::create_dir_all(root.path().join("src/inner")).unwrap();
    for file in [
        "src/a.rs",
        "src/inner/b.rs",
        "src/c.txt",
        "top.rs",
        "src/[x].rs",
    ] {
        fs::write(root.path().join(file), "").unwrap();
    }
    for (pattern, expected) in [
        ("*.rs", vec!["top.rs"]),
        ("./*.rs", vec!["top.rs"]),
        ("src/*.rs", vec!["src/[x].rs", "src/a.rs"]),
        (
            "src/**/*.rs",
            vec!["src/[x].rs", "src/a.rs", "src/inner/b.rs"],
        ),
        ("src/*", vec!["src/[x].rs", "src/a.rs", "src/c.txt"]),
        ("**/b.{rs,txt}", vec!["src/inner/b.rs"]),
        ("src/[[]x[]].rs", vec!["src/[x].rs"]),
        ("none/*", vec![]),
        ("top.rs/*", vec![]),
        ("top.rs", vec!["top.rs"]),
    ] {
        assert_eq!(
            folder.glob(pattern, &bounds()).unwrap(),
            expected,
            "{pattern}"
        );
    }
    for (pattern, expected) in [
        ("src/[", FileError::Invalid("src/[".into())),
        ("", FileError::Invalid(String::new())),
        ("../*", FileError::Denied("../*".into())),
        ("src/../../*", FileError::Denied("src/../../*".into())),
        ("/etc/*", FileError::Denied("/etc/*".into())),
    ] {
        assert_eq!(error(folder.glob(pattern, &bounds())), expected);
    }
    let long = "*".repeat(5000);
    assert_eq!(
        error(folder.glob(&long, &bounds())),
        FileError::Invalid(long.clone())
    );
}

#[test]
fn metadata_of_each_kind() {
    let (root, folder) = granted();
    fs::write(root.path().join("x"), "abc").unwrap();
    symlink("x", root.path().join("to-x")).unwrap();
    let file = folder.metadata("x").unwrap();
    assert_eq!((file.kind, file.size), (Kind::File, 3));
    assert!(file.modified.is_some_and(|seconds| seconds > 1_500_000_000));
    assert_eq!(folder.metadata("to-x").unwrap().kind, Kind::File);
    assert_eq!(folder.metadata(".").unwrap().kind, Kind::Folder);
    assert_eq!(error(folder.metadata("y")), FileError::NotFound("y".into()));
}
