//! Whoever may read, may not change anything: there is no name for it.

use lacuna::Lacuna;

use super::support::plan::Plan;
use super::support::program;
use super::tree::Tree;

/// Each would change the folder, if it were code of this hole.
const CHANGES: &[&str] = &[
    "repo::write(\"file\", b\"x\");",
    "repo::append(\"file\", b\"x\");",
    "repo::create_folder(\"new\");",
    "repo::remove(\"file\");",
    "repo::rename(\"file\", \"new\");",
    "repo::create(\"new\");",
    "repo::delete(\"file\");",
    "repo::truncate(\"file\", 0);",
    "repo::set_len(\"file\", 0);",
    "repo::hard_link(\"file\", \"new\");",
    "repo::link(\"file\", \"new\");",
    "repo::symlink(\"file\", \"new\");",
    "repo::set_times(\"file\", 0, 0);",
    "repo::set_modified(\"file\", 0);",
    "repo::set_permissions(\"file\", 0o777);",
    "repo::open(\"file\").set_len(0);",
    "repo::write::write(\"file\", b\"x\");",
    "repo::super::write(\"file\", b\"x\");",
    "repo::Entry::remove(\"file\");",
    "write::write(\"file\", b\"x\");",
    "change::write(\"file\", b\"x\");",
    "fs::write(\"file\", b\"x\");",
    "lacuna::fs::write::write(\"file\", b\"x\");",
    "crate::lacuna::fs::write::write(\"file\", b\"x\");",
    "bindings::repo::write(\"file\", b\"x\");",
    "bindings::lacuna::fs::write::append(\"file\", b\"x\");",
    "use repo::write; write(\"file\", b\"x\");",
    "use repo::*; rename(\"file\", \"new\");",
    "use repo as change; change::remove(\"file\");",
    "std::fs::write(\"file\", b\"x\");",
    "std::fs::remove_file(\"file\");",
    "std::fs::rename(\"file\", \"new\");",
    "std::fs::hard_link(\"file\", \"new\");",
    "std::fs::File::create(\"file\");",
    "std::fs::File::options().truncate(true).write(true).open(\"file\");",
    "std::fs::OpenOptions::new().append(true).open(\"file\");",
    "std::os::unix::fs::symlink(\"file\", \"new\");",
    "std::process::Command::new(\"touch\").arg(\"file\").status();",
    "#[link(wasm_import_module = \"repo\")] unsafe extern \"C\" { fn write(a: i32, b: i32, c: i32, d: i32, e: i32); }",
    "#[link(wasm_import_module = \"lacuna:fs/write@0.1.0\")] unsafe extern \"C\" { fn remove(a: i32, b: i32, c: i32); }",
];

#[tokio::test]
async fn what_would_change_a_folder_that_may_be_read_does_not_exist() {
    let tree = Tree::new();
    let manifest = format!("[hole.hole.grant.repo]\npath = {:?}", tree.data());
    let plan = Plan::new(
        "world hole { import repo: lacuna:fs/read@0.1.0; export run: func() -> string; }",
        &manifest,
    );
    let lacuna = Lacuna::builder().cache(program::cache()).build().unwrap();
    let loaded = lacuna.load(plan.folder.join("plan.wit")).unwrap();
    let hole = loaded.hole("hole").unwrap();
    for change in CHANGES {
        let code = format!("pub fn run() -> String {{ {change} String::new() }}");
        let verdict = hole.check(&code).await.unwrap();
        assert!(!verdict.accepted(), "{change}");
        let stage = serde_json::to_value(&verdict).unwrap()["stage"].clone();
        assert!(
            stage == "snippet" || stage == "compile",
            "{change}: {stage}"
        );
    }
    // The same code without the change is this hole's.
    let reads = "pub fn run() -> String { repo::read_text(\"file\").unwrap() }";
    let fill = hole.fill_with(reads).await.unwrap();
    assert_eq!(fill.call(()).await.unwrap().json(), "inside");
    assert_eq!(std::fs::read_dir(tree.data()).unwrap().count(), 2);
}
