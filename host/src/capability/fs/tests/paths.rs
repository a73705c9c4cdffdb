//! Where paths lead, against a second opinion: an own walk over the same folder that follows links one by one.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{bounds, opened};
use crate::capability::fs::Refusal;
use crate::capability::fs::folder::{Content, Folder};
use crate::capability::fs::types::{FileError, Kind};

/// Every file inside starts with this.
const INSIDE: &str = "inside";
/// Paths that are tried.
const CASES: u32 = 4000;
/// Links that may be followed on the way, as the kernel has it.
const LINKS: u32 = 40;

/// `data` is granted. Beside it stand a folder whose name begins with the same letters, and a file; what is in them must
/// never be seen or changed.
struct Tree {
    outer: tempfile::TempDir,
    folder: Folder,
}

impl Tree {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path();
        for folder in ["data/a/b", "data/c", "data-private/a/b"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        for file in ["data/f", "data/a/f", "data/a/b/f", "data/c/f"] {
            fs::write(top.join(file), format!("{INSIDE} {file}")).unwrap();
        }
        for file in [
            "f",
            "data-private/f",
            "data-private/a/f",
            "data-private/a/b/f",
        ] {
            fs::write(top.join(file), "outside").unwrap();
        }
        let absolute = top.join("data-private");
        let back = top.join("data/a");
        for (link, target) in [
            ("to-a", "a"),
            ("to-b", "a/b/"),
            ("to-f", "a/f"),
            ("a/up", ".."),
            ("a/b/up", "../.."),
            ("a/b/over", "../../../data-private"),
            ("a/self", "."),
            ("out", ".."),
            ("out-f", "../f"),
            ("private", "../data-private"),
            // Out and in again: it leaves on the way.
            ("around", "../data/a"),
            ("absolute", absolute.to_str().unwrap()),
            ("absolute-inside", back.to_str().unwrap()),
            ("proc", "/proc/self/cwd"),
            ("root", "/"),
            ("chain-1", "chain-2"),
            ("chain-2", "c/chain-3"),
            ("c/chain-3", "../a/up/to-b"),
            ("c/leaves", "../chain-out"),
            ("chain-out", "a/b/up/../data-private/f"),
            ("loop-1", "loop-2"),
            ("loop-2", "loop-1"),
            ("dangling", "none"),
            ("dangling-out", "../none"),
            ("dangling-deep", "a/none/../../f"),
        ] {
            symlink(target, top.join("data").join(link)).unwrap();
        }
        let folder = opened(&top.join("data")).unwrap();
        Self { outer, folder }
    }

    fn root(&self) -> PathBuf {
        self.outer.path().canonicalize().unwrap().join("data")
    }

    /// All that stands outside, with its content.
    fn outside(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut waiting = vec![self.outer.path().to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.ends_with("data") {
                    continue;
                }
                if path.is_dir() {
                    waiting.push(path.clone());
                    found.insert(path, Vec::new());
                } else {
                    let content = fs::read(&path).unwrap();
                    found.insert(path, content);
                }
            }
        }
        found
    }
}

/// Where a path leads.
#[derive(Debug, PartialEq)]
enum Leads {
    /// To what stands at this path, which has no link in it.
    To(PathBuf),
    /// Out of the folder.
    Out,
    /// To nothing, or through something that is no folder, or round in a circle.
    Nowhere,
}

/// Follows a path as `openat2` says that it does, one name at a time, never asking the system about more than one.
fn follow(root: &Path, path: &str) -> Leads {
    if path.starts_with('/') {
        return Leads::Out;
    }
    let mut left: VecDeque<String> = path.split('/').map(str::to_owned).collect();
    let mut at: Vec<String> = Vec::new();
    let mut links = 0;
    while let Some(name) = left.pop_front() {
        let here: PathBuf = root.join(at.iter().collect::<PathBuf>());
        if !fs::symlink_metadata(&here).is_ok_and(|found| found.is_dir()) {
            return Leads::Nowhere;
        }
        match name.as_str() {
            "" | "." => continue,
            ".." => {
                if at.pop().is_none() {
                    return Leads::Out;
                }
                continue;
            }
            _ => {}
        }
        let Ok(found) = fs::symlink_metadata(here.join(&name)) else {
            return Leads::Nowhere;
        };
        if !found.is_symlink() {
            at.push(name);
            continue;
        }
        links += 1;
        let target = fs::read_link(here.join(&name)).unwrap();
        let target = target.to_str().unwrap();
        if links > LINKS {
            return Leads::Nowhere;
        }
        if target.starts_with('/') {
            return Leads::Out;
        }
        for part in target.split('/').rev() {
            left.push_front(part.to_owned());
        }
    }
    Leads::To(root.join(at.iter().collect::<PathBuf>()))
}

fn read(folder: &Folder, path: &str) -> Result<String, FileError> {
    match folder.whole(path, &bounds()) {
        Ok(Content::Bytes(bytes)) => Ok(String::from_utf8(bytes).unwrap()),
        Ok(Content::Pipe(pipe)) => panic!("{pipe:?}"),
        Err(Refusal::Error(error)) => Err(error),
        Err(Refusal::Limit(hit)) => panic!("{hit:?}"),
    }
}

/// What is read of this path is what the second opinion says. Gives that opinion.
fn agree(tree: &Tree, path: &str) -> Result<Leads, TestCaseError> {
    let root = tree.root();
    let leads = follow(&root, path);
    let answer = read(&tree.folder, path);
    let metadata = tree.folder.metadata(path);
    match (&leads, &answer) {
        (Leads::To(file), Ok(text)) => {
            prop_assert!(text.starts_with(INSIDE), "{path:?}: {text}");
            prop_assert_eq!(text, &fs::read_to_string(file).unwrap());
            // And a third opinion, the system's.
            let real = root.join(path).canonicalize().unwrap();
            prop_assert_eq!(&real, file);
            prop_assert!(real.starts_with(&root));
            prop_assert_eq!(metadata.unwrap().kind, Kind::File);
        }
        (Leads::To(folder), Err(FileError::NotAFile(_))) => {
            prop_assert!(folder.is_dir(), "{path:?}");
            prop_assert!(tree.folder.entries(path, &bounds()).is_ok());
        }
        (Leads::Out, Err(FileError::Denied(given))) => {
            prop_assert_eq!(given, path);
            prop_assert!(matches!(
                metadata,
                Err(Refusal::Error(FileError::Denied(_)))
            ));
            let listed = tree.folder.entries(path, &bounds());
            prop_assert!(matches!(listed, Err(Refusal::Error(FileError::Denied(_)))));
        }
        (
            Leads::Nowhere,
            Err(
                FileError::NotFound(_)
                | FileError::NotAFolder(_)
                | FileError::Invalid(_)
                // Round in a circle.
                | FileError::Other(_),
            ),
        ) => prop_assert!(metadata.is_err()),
        _ => prop_assert!(false, "{path:?} leads {leads:?}, and {answer:?}"),
    }
    Ok(leads)
}

/// Names of the tree, and what could be taken for `..`.
fn name() -> impl Strategy<Value = String> {
    let inside = [
        "a", "b", "c", "f", "to-a", "to-b", "to-f", "up", "self", "chain-1", "chain-2", "chain-3",
    ];
    let names = [
        "over",
        "out",
        "out-f",
        "private",
        "around",
        "absolute",
        "absolute-inside",
        "proc",
        "root",
        "leaves",
        "chain-out",
        "loop-1",
        "dangling",
        "dangling-out",
        "dangling-deep",
        "none",
        "data",
        "data-private",
        "...",
        ".. ",
        " ..",
        "..\\",
        "%2e%2e",
        "．．",
        "..\u{200b}",
        "~",
        "",
        ".",
    ];
    prop_oneof![
        20 => prop::sample::select(inside.to_vec()).prop_map(str::to_owned),
        5 => prop::sample::select(names.to_vec()).prop_map(str::to_owned),
        5 => Just("..".to_owned()),
        1 => "\\PC{1,3}",
    ]
}

fn path() -> impl Strategy<Value = String> {
    (
        prop::sample::select(vec!["", "", "", "", "", "", "./", "/", "//"]),
        prop::collection::vec(name(), 1..6),
        prop::sample::select(vec!["/", "/", "//", "/./"]),
        prop::sample::select(vec!["", "", "", "", "/f", "/f", "/", "/.", "/.."]),
    )
        .prop_map(|(start, names, between, end)| format!("{start}{}{end}", names.join(between)))
        .prop_filter("an empty path is no path", |path| !path.is_empty())
}

#[test]
fn the_walk_says_what_each_link_was_made_for() {
    let tree = Tree::new();
    for (path, leads) in [
        ("to-b/f", Leads::To(tree.root().join("a/b/f"))),
        ("chain-1/f", Leads::To(tree.root().join("a/b/f"))),
        ("a/up/a/b/up/f", Leads::To(tree.root().join("f"))),
        ("around/f", Leads::Out),
        ("absolute-inside/f", Leads::Out),
        ("c/leaves", Leads::Out),
        ("a/../../data/f", Leads::Out),
        ("loop-1", Leads::Nowhere),
        ("dangling-deep", Leads::Nowhere),
        ("none/../../f", Leads::Nowhere),
        ("f/", Leads::Nowhere),
        ("f/..", Leads::Nowhere),
    ] {
        assert_eq!(follow(&tree.root(), path), leads, "{path}");
        agree(&tree, path).unwrap();
    }
}

#[test]
fn a_path_that_is_accepted_leads_inside() {
    let tree = Tree::new();
    let before = tree.outside();
    let met: [Cell<u32>; 3] = Default::default();
    proptest!(ProptestConfig::with_cases(CASES), |(path in path())| {
        let kind = match agree(&tree, &path)? {
            Leads::To(_) => 0,
            Leads::Out => 1,
            Leads::Nowhere => 2,
        };
        met[kind].set(met[kind].get() + 1);
    });
    let any =
        any::<String>().prop_filter("no path", |path| !path.is_empty() && !path.contains('\0'));
    proptest!(|(path in any)| { agree(&tree, &path)?; });
    let met = met.map(Cell::into_inner);
    assert!(met.iter().all(|met| *met > CASES / 20), "{met:?}");
    assert_eq!(tree.outside(), before);
}

/// One change.
#[derive(Clone, Debug)]
enum Change {
    Write(String),
    Append(String),
    CreateFolder(String),
    Remove(String),
    Rename(String, String),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        path().prop_map(Change::Write),
        path().prop_map(Change::Append),
        path().prop_map(Change::CreateFolder),
        path().prop_map(Change::Remove),
        (path(), path()).prop_map(|(old, new)| Change::Rename(old, new)),
    ]
}

#[test]
fn no_sequence_of_changes_reaches_out() {
    let config = ProptestConfig {
        // Each has a tree of its own.
        cases: 64,
        ..ProptestConfig::default()
    };
    proptest!(config, |(changes in prop::collection::vec(change(), 1..40))| {
        let tree = Tree::new();
        let before = tree.outside();
        for change in &changes {
            let folder = &tree.folder;
            // Moved links and folders make paths that lead elsewhere than before; whether each works is not the question.
            let _ = match change {
                Change::Write(path) => folder.write(path, b"inside written"),
                Change::Append(path) => folder.append(path, b"inside more"),
                Change::CreateFolder(path) => folder.create_folder(path, &bounds()),
                Change::Remove(path) => folder.remove(path),
                Change::Rename(old, new) => folder.rename(old, new),
            };
            if let Change::Rename(_, path) | Change::Write(path) = change
                && let Ok(text) = read(folder, path)
            {
                prop_assert!(text.starts_with(INSIDE), "{path:?}: {text}");
            }
        }
        prop_assert_eq!(tree.outside(), before);
        prop_assert!(tree.root().is_dir());
        // However the links lie now, what is accepted is inside.
        for change in &changes {
            let (Change::Write(path)
            | Change::Append(path)
            | Change::CreateFolder(path)
            | Change::Remove(path)
            | Change::Rename(_, path)) = change;
            if let Ok(text) = read(&tree.folder, path) {
                prop_assert!(text.starts_with(INSIDE), "{path:?}: {text}");
            }
        }
    });
}

/// A pattern in any words: it is refused or it finds files inside, each of which is there.
#[test]
fn no_pattern_finds_what_is_outside() {
    let tree = Tree::new();
    let part = prop_oneof![
        2 => name(),
        3 => prop::sample::select(vec!["*", "**", "?", "[a-z]", "{a,..}", "{a,{b,f}}", "[.][.]", "\\..", "*f", "[!a]"])
            .prop_map(str::to_owned),
        1 => "[*?\\[\\]{},!.a-c\\\\é/-]{1,12}",
    ];
    let pattern = prop::collection::vec(part, 1..6).prop_map(|parts| parts.join("/"));
    proptest!(ProptestConfig::with_cases(2000), |(pattern in pattern)| {
        if let Ok(found) = tree.folder.glob(&pattern, &bounds()) {
            for path in found {
                let text = read(&tree.folder, &path);
                prop_assert!(text.is_ok_and(|text| text.starts_with(INSIDE)), "{pattern:?}: {path:?}");
                prop_assert!(!path.split('/').any(|part| part == ".."));
            }
        }
    });
    // The largest there can be: no time, no stack, no panic.
    for unit in [
        "{", "{a,", "[", "**/", "?", "[a-z]", "[^é]", "{é,ü}", "\\", "*a",
    ] {
        let pattern = unit.repeat(4096 / unit.len());
        let _ = tree.folder.glob(&pattern, &bounds());
        let closed = pattern[..pattern.len() / 2].to_owned() + &"}".repeat(2048 / unit.len());
        let _ = tree.folder.glob(&closed, &bounds());
    }
}
