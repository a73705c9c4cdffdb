//! `lacuna:http` through the program: what a guest sees of real servers on this machine, and that a secret is found nowhere.
//! What a grant lets through stands in `http/urls.txt` and is tried beside the code.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans, runs servers and starts the program"
)]

#[path = "http/server.rs"]
mod server;
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use server::{Server, response};
use support::plan::{Plan, json};
use support::program::{self, Ended};

/// A hole that may ask.
const WIT: &str = "/// Reads a page.\nworld hole { import lacuna:http/http@0.1.0; export run: func(url: string) -> result<string, string>; }";

/// What is masked, and the header's whole value.
const TOKEN: &str = "tk-5fQ/pz+Lm81vXw";
const HEADER: &str = "Bearer tk-5fQ/pz+Lm81vXw";

fn plan(server: &Server, more: &str) -> Plan {
    Plan::new(WIT, &manifest(server, more))
}

fn manifest(server: &Server, more: &str) -> String {
    format!(
        "[hole.hole.args]\nurl = \"{base}/page\"\n[hole.hole.grant.http]\norigins = [\"{base}\"]\nprivate-addresses = [\"127.0.0.1\"]\n{more}",
        base = server.base
    )
}

#[test]
fn a_guest_reads_pages_and_goes_on_after_errors() {
    let server = Server::start(|request, stream| {
        let answer = match request.path.as_str() {
            "/page" => response(200, &[("x-kind", "plain")], "café".as_bytes()),
            "/bytes" => response(200, &[], b"\xff"),
            "/away" => response(302, &[("location", "https://other.example/")], b""),
            "/echo" => response(201, &[], &request.body),
            _ => response(404, &[], b"none"),
        };
        std::io::Write::write_all(stream, &answer)
    });
    let plan = plan(
        &server,
        "methods = [\"GET\", \"POST\"]\nmax-body = \"100B\"",
    );
    let ended = plan.run(
        r#"
        let base = url.trim_end_matches("/page");
        let mut said = vec![http::get_text(&url)?];
        for path in ["/none", "/bytes", "/away"] {
            match http::get_text(&format!("{base}{path}")) {
                Ok(text) => said.push(text),
                Err(http::Error::Status(status)) => said.push(format!("status {status}")),
                Err(http::Error::NotText(_)) => said.push("no text".to_owned()),
                Err(http::Error::RedirectRefused(to)) => said.push(format!("redirect {}", to.contains("other.example"))),
                Err(other) => said.push(format!("{other:?}")),
            }
        }
        for other in ["https://example.com/", "http://127.0.0.1:1/", "not a url", "file:///etc/hostname"] {
            match http::get(other) {
                Ok(response) => said.push(response.status.to_string()),
                Err(http::Error::NotGranted(_)) => said.push("not granted".to_owned()),
                Err(http::Error::InvalidUrl(_)) => said.push("invalid".to_owned()),
                Err(other) => said.push(format!("{other:?}")),
            }
        }
        let response = http::get(&url)?;
        said.push(response.headers.iter().filter(|(name, _)| name == "x-kind").map(|(_, value)| value.clone()).collect());
        let sent = http::send(&http::Request {
            method: "POST".to_string(),
            url: format!("{base}/echo"),
            headers: vec![("content-type".to_string(), "text/plain".to_string())],
            body: b"body".to_vec(),
        })?;
        said.push(format!("{} {}", sent.status, String::from_utf8_lossy(&sent.body)));
        Ok(said.join("; "))
        "#,
    );
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(
        json(&ended)["value"],
        serde_json::json!({"ok": "café; status 404; no text; redirect true; not granted; not granted; invalid; invalid; plain; 201 body"}),
    );
    let paths: Vec<String> = server
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert_eq!(
        paths,
        ["/page", "/none", "/bytes", "/away", "/page", "/echo"]
    );
}

#[test]
fn a_server_that_drips_ends_at_the_time_of_a_call() {
    let server = Server::start(|_, stream| {
        let write = |stream: &mut std::net::TcpStream, bytes: &[u8]| {
            std::io::Write::write_all(stream, bytes)
        };
        write(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")?;
        loop {
            write(stream, b"x")?;
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let plan = Plan::new(
        WIT,
        &format!(
            "[limits]\nhost-call-wall = \"1s\"\n{}",
            manifest(&server, "")
        ),
    );
    let ended = plan.run("Ok(http::get_text(&url)?)");
    let outcome = json(&ended);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert_eq!(outcome["limit"]["name"], "host-call-wall", "{outcome}");
    server.all_closed();
}

#[test]
fn no_proxy_is_asked() {
    let server = Server::start(|_, stream| {
        std::io::Write::write_all(stream, &response(200, &[], b"direct"))
    });
    let proxy =
        Server::start(|_, stream| std::io::Write::write_all(stream, &response(200, &[], b"proxy")));
    let plan = plan(&server, "");
    let variables = [
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "HTTPS_PROXY",
    ]
    .map(|name| (name, proxy.base.as_str()));
    plan.write("snippet.rs", "Ok(http::get_text(&url)?)");
    let ended = program::run_with(
        &plan.folder,
        ["run", "plan.wit", "--snippet", "snippet.rs"],
        &variables,
    );
    assert_eq!(
        (ended.code, ended.stdout.trim()),
        (Some(0), "ok(\"direct\")"),
        "{ended:?}"
    );
    assert!(proxy.requests().is_empty());
}

#[test]
fn a_secret_that_is_not_there_is_said_before_anything_is_asked() {
    let server =
        Server::start(|_, stream| std::io::Write::write_all(stream, &response(200, &[], b"")));
    let plan = plan(&server, "header.authorization = { env = \"SITE_KEY\" }");
    plan.manifest(&format!(
        "[models.default]\nprovider = \"command\"\ncommand = \"touch asked\"\n{}",
        manifest(&server, "header.authorization = { env = \"SITE_KEY\" }")
    ));
    plan.write("snippet.rs", "Ok(http::get_text(&url)?)");
    for (arguments, value, words) in [
        (&["run", "plan.wit"][..], None, "is not set"),
        (
            &["run", "plan.wit", "--snippet", "snippet.rs"],
            None,
            "is not set",
        ),
        (&["run", "plan.wit"], Some("Bearer hidden"), "too short"),
        (
            &["run", "plan.wit"],
            Some("hidden\nhidden-hidden"),
            "no header can carry",
        ),
    ] {
        let variables: Vec<(&str, &str)> =
            value.map(|value| ("SITE_KEY", value)).into_iter().collect();
        let ended = program::run_with(&plan.folder, arguments, &variables);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(
            ended.stderr.contains("SITE_KEY") && ended.stderr.contains(words),
            "{ended:?}"
        );
        assert!(
            ended.stderr.contains("lacuna.toml:") && !ended.stderr.contains("hidden"),
            "{ended:?}"
        );
    }
    assert!(!plan.folder.join("asked").exists());
    // What judges and shows needs no secret.
    for arguments in [
        &["check", "plan.wit", "--snippet", "snippet.rs"][..],
        &["show", "plan.wit"],
    ] {
        let ended = program::run(&plan.folder, arguments);
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    assert!(server.requests().is_empty());
}

/// Every way out of a run is searched for the secret, plain and encoded, after a run against a server that sends it back
/// in all these forms, and with a guest that prints all it gets.
#[test]
fn a_secret_is_found_nowhere() {
    let server = Server::start(|request, stream| {
        let value = request
            .header("authorization")
            .unwrap_or_default()
            .to_owned();
        let body: Vec<String> = [value.as_str(), value.trim_start_matches("Bearer ")]
            .into_iter()
            .flat_map(server::forms)
            .collect();
        let answer = match request.path.as_str() {
            "/away" => response(302, &[("location", &format!("/{TOKEN}"))], value.as_bytes()),
            "/reason" => {
                format!("HTTP/1.1 500 {value}\r\nconnection: close\r\n\r\n{value}").into_bytes()
            }
            "/broken" => {
                format!("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{value}").into_bytes()
            }
            "/garbage" => format!("{value}\r\n\r\n").into_bytes(),
            _ => response(
                200,
                &[("x-echo", &value), ("set-cookie", &format!("a={TOKEN}"))],
                body.join("\n").as_bytes(),
            ),
        };
        std::io::Write::write_all(stream, &answer)
    });
    let plan = plan(&server, "header.authorization = { env = \"SITE_KEY\" }");
    let print = r#"
        let base = url.trim_end_matches("/page");
        let mut all = String::new();
        for path in ["/page", "/away", "/reason", "/broken", "/garbage"] {
            let answer = http::get(&format!("{base}{path}"));
            println!("{answer:?}");
            if let Ok(response) = &answer {
                println!("{}", String::from_utf8_lossy(&response.body));
            }
            all.push_str(&format!("{answer:?}"));
            all.push_str(&format!("{:?}", http::get_text(&format!("{base}{path}"))));
        }
    "#;
    plan.write("value.rs", &format!("{print}\nOk(all)"));
    plan.write("error.rs", &format!("{print}\nErr(all)"));
    plan.write("panic.rs", &format!("{print}\npanic!(\"{{all}}\")"));
    fs::create_dir(plan.folder.join("recorded")).unwrap();
    let answer = format!("```rust\n{print}\nOk(all)\n```\n");
    fs::write(plan.folder.join("recorded/hole.1.md"), answer).unwrap();
    let environment = [
        ("SITE_KEY", HEADER),
        ("RUST_LOG", "trace"),
        ("RUST_BACKTRACE", "full"),
    ];
    let run = |arguments: &[&str]| program::run_with(&plan.folder, arguments, &environment);
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut keep = |what: &str, ended: &Ended| {
        texts.push((format!("stdout of {what}"), ended.stdout.clone()));
        texts.push((format!("stderr of {what}"), ended.stderr.clone()));
    };
    for (what, code) in [("value", 0), ("error", 0), ("panic", 4)] {
        for format in ["text", "json"] {
            let (snippet, trace) = (format!("{what}.rs"), format!("{what}-{format}.jsonl"));
            let ended = run(&[
                "run",
                "plan.wit",
                "-v",
                "--snippet",
                &snippet,
                "--trace",
                &trace,
                "--format",
                format,
            ]);
            assert_eq!(ended.code, Some(code), "{ended:?}");
            keep(what, &ended);
            keep("trace", &run(&["trace", &trace]));
        }
    }
    let labels = [
        "run",
        "plan.wit",
        "-v",
        "--model",
        "replay:recorded",
        "--trace",
        "labels.jsonl",
        "--trace-labels",
        "private,untrusted",
        "--record",
        "again",
    ];
    let ended = run(&labels);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("[secret]"), "{ended:?}");
    keep("replay", &ended);
    for what in ["scope", "prompt", "wit"] {
        let ended = run(&["show", "plan.wit", "--what", what]);
        keep(what, &ended);
    }
    let ended = run(&[
        "build",
        "plan.wit",
        "--snippet",
        "value.rs",
        "--output",
        "hole.wasm",
    ]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    keep("build", &ended);
    assert!(
        texts.iter().any(|(_, text)| text.contains("SITE_KEY")),
        "the variable's name is shown"
    );
    let mut files: Vec<(String, Vec<u8>)> = texts
        .into_iter()
        .map(|(what, text)| (what, text.into_bytes()))
        .collect();
    for folder in [plan.folder.clone(), program::cache()] {
        for file in below(&folder) {
            files.push((
                file.display().to_string(),
                fs::read(&file).unwrap_or_default(),
            ));
        }
    }
    assert!(files.iter().any(|(name, _)| name.ends_with("hole.wasm")));
    assert!(files.iter().any(|(name, _)| name.ends_with("labels.jsonl")));
    let sent = server.requests();
    assert!(
        sent.len() > 50
            && sent
                .iter()
                .all(|request| request.header("authorization") == Some(HEADER))
    );
    // The middle of each form is enough, in either case.
    let parts: Vec<String> = [TOKEN, HEADER]
        .into_iter()
        .flat_map(server::forms)
        .map(|form| regex::escape(&form[form.len() / 4..form.len() * 3 / 4]))
        .collect();
    let any = regex::bytes::RegexBuilder::new(&parts.join("|"))
        .case_insensitive(true)
        .unicode(false)
        .build()
        .unwrap();
    assert!(any.is_match(TOKEN.as_bytes()) && any.is_match(HEADER.to_uppercase().as_bytes()));
    for (name, content) in &files {
        let found = any
            .find(content)
            .map(|found| String::from_utf8_lossy(found.as_bytes()));
        assert_eq!(found, None, "in {name}");
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(below(&entry.path())),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    files
}
