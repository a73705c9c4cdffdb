//! `tests/http/urls.txt`.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use super::super::client::Client;
use super::super::secret::Secrets;
use super::super::types::Request;
use super::server::{Seen, Server, response};
use super::{Answers, grant};

const TABLE: &str = include_str!("../../../../../tests/http/urls.txt");

/// Least rows: fewer are a table that was cut by mistake.
const LEAST: usize = 120;

struct Row {
    line: usize,
    grant: String,
    method: String,
    url: String,
    names: Option<HashMap<String, Vec<Vec<std::net::IpAddr>>>>,
    outcome: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_ends_as_it_says() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let (a, b) = (server("A", &log), server("B", &log));
    let ports = |text: &str| {
        text.replace("{A}", &a.port.to_string())
            .replace("{B}", &b.port.to_string())
    };
    let (grants, rows) = read(&ports(TABLE));
    assert!(rows.len() >= LEAST, "only {} rows", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        log.lock().unwrap().clear();
        let answers = Answers {
            known: row.names,
            ..Answers::default()
        };
        let client = Client::new(
            grant(&grants[&row.grant]),
            Secrets::default(),
            Arc::new(answers),
        );
        let request = Request {
            method: row.method,
            ..Request::get(row.url.clone())
        };
        let answer = client.send(request).await;
        let mut outcome = match &answer {
            Ok(response) => response.status.to_string(),
            Err(error) => error.name().to_owned(),
        };
        let requests = log.lock().unwrap().join(", ");
        if !requests.is_empty() {
            outcome = format!("{outcome} < {requests}");
        }
        if outcome != row.outcome {
            wrong.push(format!(
                "line {}: {}\n  expected {}\n  found    {outcome} ({answer:?})",
                row.line, row.url, row.outcome
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A server that writes down `LETTER METHOD PATH` of each request.
fn server(letter: &'static str, log: &Arc<Mutex<Vec<String>>>) -> Server {
    let log = Arc::clone(log);
    Server::start(move |request, stream| {
        let line = format!("{letter} {} {}", request.method, request.path);
        log.lock().unwrap().push(line);
        stream.write_all(&answer(request)).map(|()| false)
    })
}

fn answer(request: &Seen) -> Vec<u8> {
    let last = request.path.rsplit('/').next().unwrap_or_default();
    let body: &[u8] = match request.method.as_str() {
        "HEAD" => b"",
        _ => b"ok",
    };
    if let Some(status) = last
        .strip_prefix('r')
        .and_then(|status| status.parse().ok())
    {
        let location = [("location", request.query.as_str())];
        let headers = if request.query.is_empty() {
            &[]
        } else {
            &location[..]
        };
        return response(status, headers, body);
    }
    if let Some(left) = request
        .path
        .strip_prefix("/chain/")
        .and_then(|left| left.parse::<u32>().ok())
        && left > 0
    {
        let next = format!("/chain/{}", left - 1);
        return response(302, &[("location", &next)], body);
    }
    match request.path.as_str() {
        "/loop" => response(302, &[("location", "/loop")], body),
        "/two" => response(302, &[("location", "/x"), ("location", "/y")], body),
        _ => response(200, &[], body),
    }
}

fn read(table: &str) -> (BTreeMap<String, String>, Vec<Row>) {
    let mut grants: BTreeMap<String, String> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut current = String::new();
    for (index, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("grant ") {
            current = name.to_owned();
            grants.insert(current.clone(), String::new());
        } else if let Some(key) = line.strip_prefix("  ") {
            let lines = grants.get_mut(&current).unwrap();
            lines.push_str(key);
            lines.push('\n');
        } else {
            rows.push(row(index + 1, line));
        }
    }
    (grants, rows)
}

fn row(line: usize, text: &str) -> Row {
    let columns: Vec<&str> = text.split(" | ").collect();
    let [grant, request, dns, outcome] = columns[..] else {
        panic!("line {line}: {text}");
    };
    let is_method = |word: &str| !word.contains([':', '/', '.']);
    let (method, url) = match request.split_once(' ') {
        Some((method, url)) if is_method(method) => (method, url),
        _ => ("GET", request),
    };
    let plain = |text: &str| {
        text.replace("{TAB}", "\t")
            .replace("{LF}", "\n")
            .replace("{NUL}", "\0")
            .replace("{SHY}", "\u{ad}")
    };
    Row {
        line,
        grant: grant.to_owned(),
        method: plain(method),
        url: plain(url),
        names: (dns != "-").then(|| names(dns)),
        outcome: outcome.to_owned(),
    }
}

fn names(text: &str) -> HashMap<String, Vec<Vec<std::net::IpAddr>>> {
    let addresses = |list: &str| -> Vec<std::net::IpAddr> {
        let given = list.split(',').filter(|address| !address.is_empty());
        given.map(|address| address.parse().unwrap()).collect()
    };
    text.split(' ')
        .filter_map(|name| name.split_once('='))
        .map(|(name, answers)| (name.to_owned(), answers.split('>').map(addresses).collect()))
        .collect()
}
