//! Every way out of a folder that can be written as a path or laid as a link.

use serde_json::{Value, json};

use super::guest::{Granted, error};
use super::tree::{INSIDE, Tree};

/// Links that lie inside.
const LINKS: &[(&str, &str)] = &[
    ("to-file", "a/file"),
    ("to-folder", "a/b/"),
    ("a/up", ".."),
    ("a/b/top", "../../"),
    ("chain-1", "chain-2"),
    ("chain-2", "a/chain-3"),
    ("a/chain-3", "up/to-folder"),
    ("out", ".."),
    ("out-file", "../file"),
    ("out-folder", "../data-private"),
    ("a/out-folder", "../../data-private"),
    ("absolute", "{x}"),
    ("absolute-file", "{x}/file"),
    ("absolute-inside", "{x}/data/a"),
    ("around", "../data/a"),
    ("around-deep", "a/../../data"),
    ("chain-out-1", "a/chain-out-2"),
    ("a/chain-out-2", "b/top/out-folder"),
    ("proc-root", "/proc/self/root"),
    ("proc-cwd", "/proc/self/cwd"),
    ("proc-fd", "/proc/self/fd"),
    ("slashes", "//"),
    ("dangling", "a/none"),
    ("dangling-out", "../none"),
    ("dangling-absolute", "{x}/none"),
    ("loop-1", "loop-2"),
    ("loop-2", "a/up/loop-1"),
    ("loop-self", "loop-self/x"),
];

/// Paths that leave; `{}` stands for a name outside, that of a file or one that nothing has.
const OUT: &[&str] = &[
    "../{}",
    "./../{}",
    ".//..//{}",
    "..//{}",
    ".././{}",
    "a/../../{}",
    "a/./.././../{}",
    "a/b/../../../{}",
    "a/b/../../../../x/{}",
    "../data-private/{}",
    "../data/../{}",
    "../data/a/../../{}",
    "a/../../data-private/a/../{}",
    "../../../../../../../../../../{}",
    "out/{}",
    "out/../{}",
    "out/data-private/{}",
    "out/data/../{}",
    "a/up/../{}",
    "a/b/top/../{}",
    "a/b/top/out/{}",
    "chain-1/../../../{}",
    "chain-out-1/{}",
    "chain-out-1/a/../{}",
    "out-folder/{}",
    "out-folder/a/{}",
    "a/out-folder/{}",
    "around/../../{}",
    "around-deep/../{}",
    "absolute/{}",
    "absolute/data-private/{}",
    "proc-root/{}",
    "proc-root{x}/{}",
    "proc-cwd/{}",
    "proc-fd/{}",
    "slashes/{}",
    "slashes{x}/{}",
    "/{}",
    "//{}",
    "///{}",
    "/./{}",
    "/../{}",
    "{x}/{}",
    "{x}/data-private/{}",
    "{x}/data/../{}",
    "/proc/self/cwd/{}",
    "/proc/self/root{x}/{}",
    "/proc/self/fd/{}",
    "/proc/thread-self/root{x}/{}",
    "/dev/fd/{}",
];

/// Paths that leave and come in again, or that are outside as they are.
const OUT_AS_THEY_ARE: &[&str] = &[
    "..",
    "../",
    "../.",
    "../..",
    "a/../..",
    "a/../../",
    "a/b/../../../.",
    "../data",
    "../data/file",
    "../data/a/file",
    "out",
    "out/",
    "out/.",
    "out/..",
    "out/data/file",
    "out-folder",
    "out-folder/",
    "out-file",
    "absolute-file",
    "absolute-inside/file",
    "around/file",
    "around-deep/file",
    "{x}/data/file",
    "dangling-out",
    "dangling-absolute",
    "proc-root",
    "proc-cwd/",
    "/",
    "//",
    "/.",
    "/dev/stdin",
    "/dev/null",
    "/proc/self/environ",
    "/proc/self/exe",
    "/etc/passwd",
];

fn tree() -> Tree {
    let tree = Tree::new();
    for (name, target) in LINKS {
        tree.link(name, target);
    }
    tree
}

/// All that can be tried on one path; each with a number of its own in the paths that would be made.
fn all_on(path: &str) -> Vec<Value> {
    vec![
        json!({ "read-text": path }),
        json!({ "read": [path, 0, 100] }),
        json!({ "entries": path }),
        json!({ "walk": path }),
        json!({ "metadata": path }),
        json!({ "write": [path, "written"] }),
        json!({ "append": [path, "more"] }),
        json!({ "rename": ["file", format!("{path}/x")] }),
        json!({ "rename": [format!("{path}/x"), "taken"] }),
        json!({ "create-folder": format!("{path}/x/y") }),
        json!({ "write": [format!("{path}/x"), "written"] }),
        json!({ "remove": format!("{path}/x") }),
        json!({ "glob": format!("{path}/*") }),
    ]
}

/// The path that an error of this operation names: the one that leads out.
fn named(op: &Value) -> String {
    let (kind, given) = op.as_object().unwrap().iter().next().unwrap();
    let path = match given {
        Value::Array(parts) if kind == "rename" && parts[0] == "file" => &parts[1],
        Value::Array(parts) => &parts[0],
        path => path,
    };
    path.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_operation_on_every_way_out_is_denied_and_tells_nothing() {
    let tree = tree();
    let granted = Granted::new(&tree.data(), "");
    let x = tree
        .beside("")
        .to_str()
        .unwrap()
        .trim_end_matches('/')
        .to_owned();
    let before = tree.outside();
    let mut paths: Vec<String> = OUT_AS_THEY_ARE
        .iter()
        .map(|path| path.replace("{x}", &x))
        .collect();
    for path in OUT {
        // What is there and what is not: the answers are the same.
        for name in ["file", "none", "data-private", "a"] {
            paths.push(path.replace("{x}", &x).replace("{}", name));
        }
    }
    let ops: Vec<Value> = paths.iter().flat_map(|path| all_on(path)).collect();
    assert!(ops.len() > 2000, "{}", ops.len());
    let answers = granted.once(&ops).await;
    let denied: Vec<String> = ops.iter().map(|op| error("Denied", &named(op))).collect();
    Granted::expect(&ops, &answers, &denied);
    assert_eq!(tree.outside(), before);
    assert!(!tree.beside("none").exists());
}

#[tokio::test]
async fn links_that_lead_out_can_be_moved_and_removed_but_not_followed() {
    let tree = tree();
    let granted = Granted::new(&tree.data(), "");
    let before = tree.outside();
    let out = [
        "out",
        "out-file",
        "out-folder",
        "absolute",
        "dangling-out",
        "proc-root",
    ];
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for link in out {
        let moved = format!("a/b/moved-{link}");
        let steps: [(Value, String); 6] = [
            // That it is there is no secret, what it leads to is.
            (json!({ "create-folder": link }), error("Exists", link)),
            (json!({ "rename": ["file", link] }), error("Exists", link)),
            (json!({ "rename": [link, moved] }), "()".to_owned()),
            (json!({ "metadata": link }), error("NotFound", link)),
            (json!({ "remove": moved }), "()".to_owned()),
            (json!({ "remove": moved }), error("NotFound", &moved)),
        ];
        for (op, answer) in steps {
            ops.push(op);
            expected.push(answer);
        }
    }
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
    assert_eq!(tree.outside(), before);
}

#[tokio::test]
async fn what_stays_inside_is_followed() {
    let tree = tree();
    // As many links as the system follows, and one more.
    tree.link("hop-0", "file");
    for hop in 1..=40 {
        tree.link(&format!("hop-{hop}"), &format!("hop-{}", hop - 1));
    }
    let granted = Granted::new(&tree.data(), "");
    let inside = format!("{INSIDE:?}");
    let mut ops = Vec::new();
    let mut expected = Vec::new();
    for path in [
        "file",
        "./file",
        ".//file",
        "a/../file",
        "a/..//./file",
        "a/b/../../file",
        "a/b/../../a/./b/file",
        "to-file",
        "to-folder/file",
        "to-folder//../file",
        "a/up/file",
        "a/b/top/file",
        "a/up/a/up/a/b/top/to-file",
        "chain-1/file",
        "hop-39",
    ] {
        ops.push(json!({ "read-text": path }));
        expected.push(inside.clone());
    }
    for (path, case) in [
        ("hop-40", "Other"),
        ("loop-1", "Other"),
        ("loop-self", "Other"),
        ("loop-1/../file", "Other"),
        ("dangling", "NotFound"),
        ("dangling/../file", "NotFound"),
        ("none/../../file", "NotFound"),
        ("file/", "NotAFolder"),
        ("file/.", "NotAFolder"),
        ("file/..", "NotAFolder"),
        ("file/../file", "NotAFolder"),
        ("file/../../file", "NotAFolder"),
        ("to-file/", "NotAFolder"),
        ("a", "NotAFile"),
        ("a/", "NotAFile"),
        ("a/.", "NotAFile"),
        ("a/..", "NotAFile"),
        (".", "NotAFile"),
        ("./", "NotAFile"),
        ("to-folder", "NotAFile"),
        ("", "Invalid"),
    ] {
        ops.push(json!({ "read-text": path }));
        expected.push(error(case, path));
    }
    // A link that leads to nothing inside is where the file is made.
    ops.push(json!({ "write": ["dangling", INSIDE] }));
    expected.push("()".to_owned());
    ops.push(json!({ "read-text": "a/none" }));
    expected.push(inside);
    let answers = granted.once(&ops).await;
    Granted::expect(&ops, &answers, &expected);
}

/// Processes have links that need no path to lead somewhere.
#[tokio::test]
async fn magic_links_of_a_granted_process_folder_lead_nowhere() {
    let granted = Granted::new(std::path::Path::new("/proc/self"), "");
    let mut ops = Vec::new();
    for path in [
        "root",
        "cwd",
        "exe",
        "fd/0",
        "fd/1",
        "root/etc/passwd",
        "cwd/Cargo.toml",
        "task/../root/etc",
    ] {
        ops.extend(
            all_on(path)
                .into_iter()
                .filter(|op| op.get("remove").is_none()),
        );
    }
    let answers = granted.once(&ops).await;
    for (op, answer) in ops.iter().zip(&answers) {
        assert!(answer.starts_with("Error::"), "{op} gives {answer}");
    }
}
