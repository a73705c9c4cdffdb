//! What a plan needs beside the machine: folders, models, arguments.

use std::fs;
use std::process::Command;

use crate::support::plan::Plan;
use crate::{Machine, named, quoted};

const WIT: &str = "world hole { import repo: lacuna:fs/read@0.1.0; export run: func() -> u32; }";

fn manifest(model: &str) -> String {
    format!("[models.default]\n{model}\n[hole.hole.grant.repo]\npath = \"data\"")
}

/// What a plan needs: its folder, its model's key, program, recordings.
#[test]
fn a_plan_that_needs_more() {
    let mut machine = Machine::new();
    let openai = "provider = \"openai\"\nmodel = \"m\"";
    let plan = Plan::new(WIT, &manifest(openai));
    let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
    assert_eq!(code, Some(1));
    let hole = named(&checks, "hole hole");
    assert!(
        hole["found"].as_str().unwrap().contains("does not exist"),
        "{hole:#}"
    );
    fs::create_dir(plan.folder.join("data")).unwrap();
    let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
    assert_eq!(code, Some(0), "{checks:#?}");
    let data = plan.folder.join("data").canonicalize().unwrap();
    assert_eq!(
        named(&checks, "hole hole")["found"],
        format!("reaches {}", quoted(&data))
    );
    machine.set("OPENAI_API_KEY", "");
    machine.is_mended_in(
        "model default",
        "missing",
        "OPENAI_API_KEY",
        "export OPENAI_API_KEY=YOUR-KEY",
        "plan.wit",
        &plan.folder,
    );
    machine.set("OPENAI_API_KEY", "sk-of-a-test");
    for (model, found) in [
        (
            "provider = \"command\"\ncommand = \"no-such-program x\"",
            "the program `no-such-program` is not there",
        ),
        (
            "provider = \"replay\"\ndir = \"nowhere\"",
            "there are no recordings in",
        ),
    ] {
        plan.manifest(&manifest(model));
        let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
        assert_eq!(code, Some(1));
        let check = named(&checks, "model default");
        assert!(
            check["found"].as_str().unwrap().contains(found),
            "{check:#}"
        );
        assert!(
            check["mend"].as_str().unwrap().starts_with("lacuna run "),
            "{check:#}"
        );
    }
    plan.manifest("nothing = 1");
    let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
    assert_eq!(code, Some(1));
    let check = named(&checks, "plan");
    assert!(
        check["found"]
            .as_str()
            .unwrap()
            .contains("unknown key `nothing`"),
        "{check:#}"
    );
}

/// A hint is no command: it stands for itself, with all its lines.
#[test]
fn hints_and_commands_stand_apart() {
    let machine = Machine::new();
    let plan = Plan::new(WIT, "[models.default]\nprovider = \"human\"");
    let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
    assert_eq!(code, Some(1));
    let hole = named(&checks, "hole hole");
    assert_eq!(hole.get("mend"), None, "{hole:#}");
    let hint = hole["hint"].as_str().unwrap();
    assert!(hint.contains("\n[hole.hole.grant.repo]\n"), "{hint}");
    let (_, text, _) = machine.shell("lacuna doctor plan.wit", &plan.folder);
    let below: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("missing  hole hole "))
        .skip(1)
        .take(hint.lines().count())
        .map(str::trim_start)
        .collect();
    let expected = format!("hint: {hint}");
    assert_eq!(below, expected.lines().collect::<Vec<_>>(), "{text}");
    assert!(!text.contains("$ "), "{text}");
}

/// What a run would refuse, except that an argument is not there yet.
#[test]
fn arguments_that_are_broken() {
    let machine = Machine::new();
    let plan = Plan::new(
        "world hole { export run: func(csv: string, count: u32, more: string) -> u32; }",
        "",
    );
    plan.write("names.csv", "a,b\n");
    let made = Command::new("mkfifo")
        .arg(plan.folder.join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for (lines, found, hint) in [
        ("csv = \"@nams.csv\"", "nams.csv`: no such file", "`@@`"),
        ("csw = \"x\"", "no parameter `csw`", "did you mean `csv`?"),
        ("count = \"many\"", "argument `count` of type u32", ""),
        ("count = \"@names.csv\"", "only `string` and", ""),
        ("csv = \"@names.csv\"\ncount = \"7\"", "", ""),
        ("csv = \"@pipe\"\nmore = \"@-\"", "", ""),
    ] {
        plan.manifest(&format!(
            "[models.default]\nprovider = \"human\"\n[hole.hole.args]\n{lines}"
        ));
        let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
        let check = named(&checks, "arguments");
        let text = check["found"].as_str().unwrap();
        assert_eq!(code, Some(i32::from(!found.is_empty())), "{check:#}");
        assert!(text.contains(found), "{text}");
        let told = check.get("hint").map_or("", |hint| hint.as_str().unwrap());
        assert!(told.contains(hint), "{check:#}");
        if found.is_empty() {
            let names: Vec<&str> = text.split(", ").collect();
            assert_eq!(names.len(), lines.lines().count(), "{text}");
        }
    }
}
