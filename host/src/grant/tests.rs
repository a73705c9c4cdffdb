use std::fs;

use super::*;
use crate::error::render;
use crate::plan;

/// Resolves the one hole of a plan with this manifest.
fn resolved(wit: &str, manifest: &str, files: &[(&str, &str)]) -> Result<Granted, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.wit"), wit).unwrap();
    fs::write(
        folder.path().join("lacuna.toml"),
        format!("schema = 1\n{manifest}"),
    )
    .unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let clean = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    let plan =
        plan::load(&folder.path().join("plan.wit")).map_err(|error| clean(render(&error)))?;
    let hole = plan.hole("hole").unwrap();
    resolve(&plan, hole).map_err(|error| clean(render(&error)))
}

/// The one grant with functions.
pub(super) fn resolved_grant(wit: &str, manifest: &str) -> Result<Grant, String> {
    let granted = resolved(wit, manifest, &[("a.json", "{}")])?;
    let mut grants = granted.grants.into_iter();
    grants
        .find(|grant| !grant.functions.is_empty())
        .ok_or_else(|| "no grant".to_owned())
}

const REPO: &str =
    "package t:h;\nworld hole { import repo: lacuna:fs/read@0.1.0; export run: func(); }";
const LOG: &str = "package t:h;\ninterface log { emit: func(m: string); level: func() -> u8; }\nworld hole { import log; export run: func(); }";
const STUB: &[(&str, &str)] = &[("a.json", "{\"emit\": null}")];

#[test]
fn a_folder_is_granted_by_its_label() {
    let granted = resolved(
        REPO,
        "[hole.hole.grant.repo]\npath = \"sub\"\nfunctions = [\"walk\", \"read-text\"]\n",
        &[],
    )
    .unwrap();
    // `lacuna:fs/types` comes with the `use` of `read`, for its types.
    assert_eq!(granted.grants.len(), 2);
    assert!(matches!(granted.grants[0].provider, Provider::Types));
    assert!(granted.grants[0].functions.is_empty());
    let repo = &granted.grants[1];
    assert_eq!(repo.label, "repo");
    assert_eq!(repo.interface.as_deref(), Some("lacuna:fs/read@0.1.0"));
    assert_eq!(
        repo.functions,
        ["read-text", "walk"],
        "in the order of the interface"
    );
    assert_eq!(repo.withheld, ["read", "entries", "glob", "metadata"]);
    let Provider::Folder(folder) = &repo.provider else {
        panic!()
    };
    assert!(folder.root.is_absolute() && folder.root.ends_with("sub"));
    assert_eq!(folder.max_file, 16 << 20);
}

#[test]
fn an_import_without_grant_shows_the_lines_to_add() {
    assert_eq!(
        resolved(REPO, "", &[]).unwrap_err(),
        "error: the hole `hole` imports `repo`, and nothing grants it\n --> plan.wit:2:21\n  |\n2 | world hole { import repo: lacuna:fs/read@0.1.0; export run: func(); }\n  |                     ^^^^\n\nhint: add to lacuna.toml:\n    [hole.hole.grant.repo]\n    path = \"FOLDER\"\n"
    );
    assert_eq!(
        resolved(LOG, "", &[]).unwrap_err(),
        "error: the hole `hole` imports `t:h/log`, and nothing grants it\n --> plan.wit:3:21\n  |\n3 | world hole { import log; export run: func(); }\n  |                     ^^^\n\nhint: add to lacuna.toml:\n    [hole.hole.grant.log]\n    provider = \"stub\"\n    answers = \"FILE.json\"\n"
    );
}

#[test]
fn a_grant_without_import_is_an_error() {
    assert_eq!(
        resolved(REPO, "[hole.hole.grant.rep]\npath = \"sub\"\n", &[]).unwrap_err(),
        "error: the hole `hole` has no import `rep`\n --> lacuna.toml:2:18\n  |\n2 | [hole.hole.grant.rep]\n  |                  ^^^\n\nhint: did you mean `repo`?\n"
    );
    let text = resolved(
        LOG,
        "[hole.hole.grant.\"t:h/lgo\"]\nprovider = \"stub\"\n",
        &[],
    )
    .unwrap_err();
    assert!(text.contains("hint: did you mean `t:h/log`?"), "{text}");
    let text = resolved(
        "package t:h; world hole { export run: func(); }",
        "[hole.hole.grant.x]\npath = \".\"\n",
        &[],
    )
    .unwrap_err();
    assert!(
        text.contains("hint: it imports nothing that needs a grant"),
        "{text}"
    );
}

#[test]
fn keys_are_labels_ids_last_names_and_functions() {
    let stub = "provider = \"stub\"\nanswers = \"a.json\"\n";
    for key in ["log", "\"t:h/log\""] {
        let granted = resolved(LOG, &format!("[hole.hole.grant.{key}]\n{stub}"), STUB).unwrap();
        assert_eq!(granted.grants[0].functions, ["emit", "level"]);
        let Provider::Stub(stub) = &granted.grants[0].provider else {
            panic!()
        };
        assert!(stub.answers.contains_key("emit"));
    }
    let twice = format!("[hole.hole.grant.log]\n{stub}[hole.hole.grant.\"t:h/log\"]\n{stub}");
    let text = resolved(LOG, &twice, STUB).unwrap_err();
    assert!(
        text.starts_with("error: `log` and `t:h/log` grant the same import\n --> lacuna.toml:5:18"),
        "{text}"
    );
    let now = "package t:h; world hole { import now: func() -> u64; export run: func(); }";
    let granted = resolved(now, &format!("[hole.hole.grant.now]\n{stub}"), STUB).unwrap();
    assert_eq!(granted.grants[0].functions, ["now"]);
    assert_eq!(granted.grants[0].interface, None);
    let two =
        "package t:h { interface log { f: func(); } } package t:i { interface log { f: func(); } }";
    let wit = format!(
        "package t:p;\n{two}\nworld hole {{ import t:h/log; import t:i/log; export run: func(); }}"
    )
    .replace("package t:h {", "package t:h {");
    let text = resolved(&wit, &format!("[hole.hole.grant.log]\n{stub}"), STUB).unwrap_err();
    assert!(
        text.starts_with("error: `log` could be `t:h/log` or `t:i/log`\n --> lacuna.toml:2:18"),
        "{text}"
    );
    let text = resolved(
        "package t:h;\nworld hole { import lacuna:fs/read@0.1.0; export run: func(); }",
        "[hole.hole.grant.\"lacuna:fs/read\"]\npath = \"sub\"\n",
        &[],
    )
    .unwrap_err();
    assert!(
        text.contains("hint: write the id with its version: \"lacuna:fs/read@0.1.0\""),
        "{text}"
    );
}

#[test]
fn functions_are_checked_against_the_interface() {
    assert_eq!(
        resolved(
            REPO,
            "[hole.hole.grant.repo]\npath = \"sub\"\nfunctions = [\"read-txt\"]\n",
            &[]
        )
        .unwrap_err(),
        "error: `repo` has no function `read-txt`\n --> lacuna.toml:4:14\n  |\n4 | functions = [\"read-txt\"]\n  |              ^^^^^^^^^^\n\nhint: did you mean `read-text`?\n"
    );
    let wit = "package t:h;\ninterface i { resource dir { constructor(p: string); open: func(); make: static func(); close: func(); } top: func(); }\nworld hole { import i; export run: func(); }";
    let functions = |names: &str| {
        let manifest = format!(
            "[hole.hole.grant.i]\nprovider = \"stub\"\nanswers = \"a.json\"\nfunctions = [{names}]\n"
        );
        resolved(wit, &manifest, STUB).map(|granted| granted.grants[0].functions.clone())
    };
    assert_eq!(functions("\"dir.open\"").unwrap(), ["[method]dir.open"]);
    assert_eq!(
        functions("\"dir.constructor\", \"dir.make\", \"top\"").unwrap(),
        ["[constructor]dir", "[static]dir.make", "top"]
    );
    assert!(functions("\"dir\"").unwrap().is_empty(), "the type alone");
    assert!(
        functions("\"dir.opn\"")
            .unwrap_err()
            .contains("did you mean `dir.open`?")
    );
}

#[test]
fn interfaces_that_give_only_types_need_no_grant() {
    let wit = "package t:h;\ninterface types { record r { a: u8 } helper: func(); }\nworld hole { use types.{r}; export run: func() -> r; }";
    let granted = resolved(wit, "", &[]).unwrap();
    assert!(matches!(granted.grants[0].provider, Provider::Types));
    assert!(granted.grants[0].functions.is_empty());
    assert_eq!(granted.grants[0].withheld, ["helper"]);
    // In WIT a `use` imports the interface, so its functions can be granted, but they have to be.
    for key in ["\"t:h/types\"", "types"] {
        let grant = format!("[hole.hole.grant.{key}]\nprovider = \"stub\"\nanswers = \"a.json\"\n");
        let granted = resolved(wit, &grant, STUB).unwrap();
        assert_eq!(granted.grants[0].functions, ["helper"]);
    }
    // Written as an import, its functions need a grant, also when another world of the plan is included.
    let wit = "package t:h;\ninterface types { record r { a: u8 } helper: func(); }\nworld base { import types; }\nworld hole { include base; export run: func(); }";
    let text = resolved(wit, "", &[]).unwrap_err();
    assert!(
        text.contains("nothing grants it\n --> plan.wit:3:21"),
        "{text}"
    );
}

#[test]
fn the_console_is_implicit() {
    let wit = "package t:h;\nworld hole { import lacuna:hole/console@0.1.0; export run: func(); }";
    assert!(matches!(
        resolved(wit, "", &[]).unwrap().grants[0].provider,
        Provider::Console
    ));
    for (wit, key) in [
        (wit, "console"),
        (REPO, "console"),
        (REPO, "\"lacuna:hole/console@0.1.0\""),
    ] {
        let text = resolved(wit, &format!("[hole.hole.grant.{key}]\n"), &[]).unwrap_err();
        assert!(
            text.contains("needs no grant: every hole has lacuna:hole/console"),
            "{text}"
        );
    }
}

#[test]
fn keys_fit_their_provider() {
    for (wit, manifest, message) in [
        (
            REPO,
            "path = \"missing\"",
            "error: the granted folder `missing` does not exist\n --> lacuna.toml:3:8",
        ),
        (
            REPO,
            "path = \"plan.wit\"",
            "error: the granted folder `plan.wit` is no folder\n --> lacuna.toml:3:8",
        ),
        (
            REPO,
            "max-file = \"1B\"",
            "error: a folder grant needs `path`\n --> lacuna.toml:2:18",
        ),
        (
            REPO,
            "path = \"sub\"\nanswers = \"a.json\"",
            "error: `answers` does not belong to `lacuna:fs`\n --> lacuna.toml:4:11",
        ),
        (
            REPO,
            "provider = \"stub\"\npath = \"sub\"",
            "error: `path` does not belong to the provider `stub`\n --> lacuna.toml:4:8",
        ),
        (
            REPO,
            "provider = \"stub\"",
            "error: the provider `stub` needs `answers`\n --> lacuna.toml:2:18",
        ),
        (
            REPO,
            "provider = \"stub\"\nanswers = \"b.json\"",
            "error: cannot read the answers `b.json`: no such file\n --> lacuna.toml:4:11",
        ),
        (
            REPO,
            "provider = \"stub\"\nanswers = \"list.json\"",
            "error: `list.json` must hold a JSON object\n --> lacuna.toml:4:11",
        ),
        (
            REPO,
            "provider = \"stub\"\nanswers = \"bad.json\"",
            "error: `bad.json` is no JSON: expected value\n --> bad.json:2:7",
        ),
    ] {
        let files = &[("list.json", "[]"), ("bad.json", "{\n \"a\": }")];
        let text =
            resolved(wit, &format!("[hole.hole.grant.repo]\n{manifest}\n"), files).unwrap_err();
        assert!(text.starts_with(message), "{manifest}\n{text}");
    }
    let text = resolved(LOG, "[hole.hole.grant.log]\nfunctions = [\"emit\"]\n", &[]).unwrap_err();
    assert!(
        text.starts_with("error: the grant of `t:h/log` needs a `provider`\n --> lacuna.toml:2:18"),
        "{text}"
    );
    // A stub can stand for a built-in interface.
    let granted = resolved(
        REPO,
        "[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"a.json\"\n",
        STUB,
    )
    .unwrap();
    assert!(matches!(granted.grants[1].provider, Provider::Stub(_)));
}

#[test]
fn what_has_no_authority_is_granted_by_its_import() {
    let wit = |import: &str| {
        format!("package t:h;\nworld hole {{ import {import}; export run: func(); }}")
    };
    for (import, provider) in [
        (
            "lacuna:text/regex@0.1.0",
            Provider::Text(TextInterface::Regex),
        ),
        (
            "lacuna:text/json@0.1.0",
            Provider::Text(TextInterface::Json),
        ),
        ("lacuna:text/csv@0.1.0", Provider::Text(TextInterface::Csv)),
        (
            "lacuna:text/encoding@0.1.0",
            Provider::Text(TextInterface::Encoding),
        ),
        ("lacuna:text/url@0.1.0", Provider::Text(TextInterface::Url)),
        ("lacuna:clock/calendar@0.1.0", Provider::Calendar),
    ] {
        let label = import.split(['/', '@']).nth(1).unwrap();
        for manifest in ["".to_owned(), format!("[hole.hole.grant.{label}]\n")] {
            let granted = resolved(&wit(import), &manifest, &[]).unwrap();
            let grant = granted.grants.last().unwrap();
            assert_eq!(format!("{:?}", grant.provider), format!("{provider:?}"));
            assert!(grant.withheld.is_empty() && grant.functions.len() > 2);
        }
        for key in [
            "path = \".\"",
            "max-file = \"1B\"",
            "answers = \"a\"",
            "seed = 1",
            "fixed = \"x\"",
        ] {
            let name = key.split(' ').next().unwrap();
            let text = resolved(
                &wit(import),
                &format!("[hole.hole.grant.{label}]\n{key}\n"),
                &[],
            )
            .unwrap_err();
            assert!(
                text.starts_with(&format!("error: `{name}` does not belong to `lacuna:")),
                "{text}"
            );
            assert!(
                text.contains("lacuna.toml:3:") && text.contains("hint: remove it"),
                "{text}"
            );
        }
    }
    let granted = resolved(
        &wit("x: lacuna:text/url@0.1.0"),
        "[hole.hole.grant.x]\nfunctions = [\"parse\", \"encode\"]\n",
        &[],
    )
    .unwrap();
    assert_eq!(granted.grants[0].functions, ["parse", "encode"]);
    assert_eq!(
        granted.grants[0].withheld,
        ["join", "decode", "parse-query", "write-query"]
    );
}

#[test]
fn clock_and_random_numbers_need_a_table() {
    let wit = |import: &str| {
        format!("package t:h;\nworld hole {{ import {import}; export run: func(); }}")
    };
    let (wall, monotonic) = ("lacuna:clock/wall@0.1.0", "lacuna:clock/monotonic@0.1.0");
    let random = "lacuna:random/random@0.1.0";
    for (import, label) in [(wall, "wall"), (monotonic, "monotonic"), (random, "random")] {
        let text = resolved(&wit(import), "", &[]).unwrap_err();
        assert!(text.contains("nothing grants it"), "{text}");
        assert!(
            text.ends_with(&format!(
                "hint: add to lacuna.toml:\n    [hole.hole.grant.{label}]\n"
            )),
            "{text}"
        );
        assert!(resolved(&wit(import), &format!("[hole.hole.grant.{label}]\n"), &[]).is_ok());
    }
    let provider = |import: &str, manifest: &str| {
        resolved(&wit(import), manifest, &[])
            .map(|granted| granted.grants.last().unwrap().provider.clone())
    };
    let Ok(Provider::Random(grant)) = provider(random, "[hole.hole.grant.random]\nseed = 0x10\n")
    else {
        panic!()
    };
    assert_eq!((grant.seed, grant.hole.as_str()), (Some(16), "hole"));
    let fixed = "[hole.hole.grant.wall]\nfixed = \"2026-01-02T03:04:05.5+01:00\"\n";
    let Ok(Provider::Wall(grant)) = provider(wall, fixed) else {
        panic!()
    };
    assert_eq!(grant.fixed.unwrap().to_string(), "2026-01-02T02:04:05.5Z");
    for (import, manifest, message) in [
        (
            random,
            "[hole.hole.grant.random]\nfixed = \"x\"\n",
            "error: `fixed` does not belong to `lacuna:random`\n --> lacuna.toml:3:9",
        ),
        (
            wall,
            "[hole.hole.grant.wall]\nseed = 1\n",
            "error: `seed` does not belong to `lacuna:clock`\n --> lacuna.toml:3:8",
        ),
        (
            wall,
            "[hole.hole.grant.wall]\nfixed = \"noon\"\n",
            "error: `fixed`: \"noon\" is no time",
        ),
        (
            random,
            "[hole.hole.grant.random]\nseed = 99999999999999999999\n",
            "error: ",
        ),
        (
            random,
            "[hole.hole.grant.random]\nprovider = \"stub\"\nanswers = \"a.json\"\nseed = 1\n",
            "error: `seed` does not belong to the provider `stub`",
        ),
    ] {
        let text = provider(import, manifest).unwrap_err();
        assert!(text.starts_with(message), "{text}");
    }
}

#[test]
fn calls_between_holes_are_said_to_come() {
    let wit = "package t:h;\ninterface i { f: func(); }\nworld child { export i; }\nworld hole { import i; export run: func(); }";
    let text = resolved(wit, "", &[]).unwrap_err();
    assert!(
        text.starts_with("error: calling another hole is not supported yet: `t:h/i` is exported by the hole `child`\n --> plan.wit:4:21"),
        "{text}"
    );
    let text = resolved(
        wit,
        "[hole.hole.grant.i]\nprovider = \"stub\"\nanswers = \"a.json\"\n",
        STUB,
    )
    .unwrap_err();
    assert!(
        text.starts_with(
            "error: `t:h/i` is exported by the hole `child` and granted too\n --> lacuna.toml:2:18"
        ),
        "{text}"
    );
}
