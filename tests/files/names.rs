//! Names that could be taken for something else, that are long, or that are no text.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::guest::{Granted, error};
use super::tree::{INSIDE, Tree};

/// `..` in other encodings and what looks like it, before `file`. Each is an ordinary name here.
const NO_WAY_UP: &[&str] = &[
    "%2e%2e/file",
    "%2E%2E%2Ffile",
    "..%2ffile",
    "..%5cfile",
    "%252e%252e/file",
    "..%c0%affile",
    "%c0%ae%c0%ae/file",
    "..\\file",
    "..\\..\\file",
    "a\\..\\..\\file",
    "\\..\\file",
    "．．/file",
    "․․/file",
    "‥/file",
    "..∕file",
    "..⁄file",
    "..／file",
    "..\u{200b}/file",
    ".\u{200d}./file",
    "\u{feff}../file",
    "\u{202e}../file",
    "..\u{301}/file",
    "..;/file",
    "..:/file",
    ".. /file",
    " ../file",
    "..\t/file",
    "..\n/file",
    "..\r/file",
    "..\u{1}/file",
    "..\u{7f}/file",
    ".../file",
    "..../file",
    "....//file",
    "..../\\file",
    "~/file",
    "~root/file",
    "$HOME/file",
    "${HOME}/file",
    "`pwd`/file",
    "{..}/file",
    "*/file",
    "file:///etc/passwd",
    "C:/file",
    "C:\\file",
    "\\\\?\\C:\\file",
    "\\\\localhost\\file",
    "NUL",
    "CON",
    "file::$DATA",
    "&file",
    "@file",
    "-file",
];

#[tokio::test]
async fn what_looks_like_a_way_up_is_a_name() {
    let tree = Tree::new();
    let granted = Granted::new(&tree.data(), "");
    let before = tree.outside();
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for path in NO_WAY_UP {
        ops.push(json!({ "read-text": path }));
        expected.push(error("NotFound", path));
        ops.push(json!({ "metadata": path }));
        expected.push(error("NotFound", path));
    }
    // And as such a name it can be made, read, moved, and removed.
    for path in NO_WAY_UP {
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        for (op, answer) in [
            folder.map(|folder| (json!({ "create-folder": folder }), "()".to_owned())),
            Some((json!({ "write": [path, INSIDE] }), "()".to_owned())),
            Some((json!({ "read-text": path }), format!("{INSIDE:?}"))),
            Some((json!({ "rename": [path, "a/moved"] }), "()".to_owned())),
            Some((json!({ "rename": ["a/moved", path] }), "()".to_owned())),
            Some((json!({ "remove": path }), "()".to_owned())),
        ]
        .into_iter()
        .flatten()
        {
            ops.push(op);
            expected.push(answer);
        }
    }
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
    assert_eq!(tree.outside(), before);
    // Whatever a name holds, a line of the trace is a line, and no terminal is driven by it.
    let trace = fs::read_to_string(granted.plan.folder.join("trace.jsonl")).unwrap();
    let calls = trace.lines().filter(|line| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        event["event"] == "call"
    });
    assert_eq!(calls.count(), ops.len());
    assert!(!trace.contains(|c: char| c.is_control() && c != '\n'));
}

#[tokio::test]
async fn zero_bytes_and_long_names_are_malformed() {
    let tree = Tree::new();
    let granted = Granted::new(&tree.data(), "");
    let before = tree.outside();
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for path in [
        "file\0".to_owned(),
        "\0".to_owned(),
        "file\0/../../file".to_owned(),
        "..\0/file".to_owned(),
        "a/\0/../file".to_owned(),
        "x".repeat(256),
        "é".repeat(128),
        format!("a/{}/x", "x".repeat(256)),
        "./".repeat(2046) + "file",
        "../".repeat(2000) + "etc/passwd",
        "x/".repeat(3000),
        "x".repeat(1 << 18),
        "a/../".repeat(1 << 15) + "file",
    ] {
        for op in [
            json!({ "read-text": path }),
            json!({ "read": [path, 1, 1] }),
            json!({ "entries": path }),
            json!({ "walk": path }),
            json!({ "metadata": path }),
            json!({ "write": [path, "x"] }),
            json!({ "append": [path, "x"] }),
            json!({ "create-folder": path }),
            json!({ "remove": path }),
            json!({ "rename": [path, "new"] }),
            json!({ "rename": ["file", path] }),
            json!({ "glob": path }),
        ] {
            // A pattern may be as long as it likes to match nothing, up to 4096 bytes.
            if op.get("glob").is_some() && !path.contains('\0') && path.len() <= 4096 {
                continue;
            }
            ops.push(op);
            expected.push(error("Invalid", &path));
        }
    }
    // As long as may be.
    for (op, answer) in [
        (
            json!({ "write": ["y".repeat(255), INSIDE] }),
            "()".to_owned(),
        ),
        (
            json!({ "read-text": "./".repeat(1920) + &"y".repeat(255) }),
            format!("{INSIDE:?}"),
        ),
        (
            json!({ "read-text": "./".repeat(2045) + "file" }),
            format!("{INSIDE:?}"),
        ),
        (
            json!({ "read-text": "a/../".repeat(800) + "file" }),
            format!("{INSIDE:?}"),
        ),
    ] {
        ops.push(op);
        expected.push(answer);
    }
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
    assert_eq!(tree.outside(), before);
}

#[tokio::test]
async fn names_that_are_no_text_are_shown_and_lead_nowhere_else() {
    let tree = Tree::new();
    let bytes = |name: &[u8]| tree.data().join(OsStr::from_bytes(name));
    fs::write(bytes(b"bad-\xff"), INSIDE).unwrap();
    fs::create_dir(bytes(b"dir-\xfe")).unwrap();
    fs::write(bytes(b"dir-\xfe/below"), INSIDE).unwrap();
    // The bytes of `../` made longer than they need be.
    fs::write(bytes(b"\xc0\xae\xc0\xae\xc0\xaffile"), INSIDE).unwrap();
    symlink(OsStr::from_bytes(b"bad-\xff"), bytes(b"to-bad")).unwrap();
    symlink(OsStr::from_bytes(b"../\xff"), bytes(b"to-bad-outside")).unwrap();
    // Its own name is what the other is shown as.
    fs::write(tree.data().join("twin-\u{fffd}"), "the text").unwrap();
    fs::write(bytes(b"twin-\xff"), "no text").unwrap();
    let granted = Granted::new(&tree.data(), "");
    let overlong = "\u{fffd}".repeat(6) + "file";
    let shown = ["bad-\u{fffd}", "dir-\u{fffd}/below", overlong.as_str()];
    let mut ops = vec![
        json!({ "read-text": "to-bad" }),
        json!({ "read-text": "to-bad-outside" }),
        json!({ "read-text": "twin-\u{fffd}" }),
        json!({ "walk": "." }),
        json!({ "glob": "**/below" }),
    ];
    let mut expected = vec![
        format!("{INSIDE:?}"),
        error("Denied", "to-bad-outside"),
        "\"the text\"".to_owned(),
        format!(
            "{:?}",
            [
                "a",
                "a/b",
                "a/b/file",
                "a/file",
                "bad-\u{fffd}",
                "dir-\u{fffd}",
                "dir-\u{fffd}/below",
                "file",
                "to-bad",
                "to-bad-outside",
                "twin-\u{fffd}",
                "twin-\u{fffd}",
                shown[2]
            ]
        ),
        "[\"dir-\u{fffd}/below\"]".to_owned(),
    ];
    for path in shown {
        ops.push(json!({ "read-text": path }));
        expected.push(error("NotFound", path));
        ops.push(json!({ "remove": path }));
        expected.push(error("NotFound", path));
    }
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
}
