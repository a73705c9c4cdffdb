//! A secret header of `lacuna:http`: what stands in the guest's memory when a server sends it back in every form.

use std::io::{Read, Write};
use std::net::TcpListener;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use super::support::{function, guest, http, named, run};
use crate::budget::RunLimits;
use crate::error::Place;
use crate::grant::http::{HttpGrant, Network, Origin, SecretHeader};
use crate::value::{Type, Value};

/// A variable that every process here has, with a value long enough for a secret.
const VARIABLE: &str = "PATH";

/// Cases of `error`, with a payload each.
const CASES: [&str; 13] = [
    "not-granted",
    "address-refused",
    "redirect-refused",
    "invalid-url",
    "forbidden-header",
    "status",
    "not-text",
    "too-large",
    "timeout",
    "dns",
    "connection",
    "tls",
    "protocol",
];

/// Asks for a page and returns all of its own memory.
fn dumper() -> String {
    let cases: String = CASES
        .iter()
        .map(|case| {
            format!(
                "(case \"{case}\" {})",
                if *case == "status" { "u16" } else { "string" }
            )
        })
        .collect();
    let imports = format!(
        r#"(import "lacuna:http/http@0.1.0" (instance $http
          (type $e (variant {cases})) (export "error" (type $error (eq $e)))
          (export "get-text" (func (param "url" string) (result (result string (error $error)))))))
        (core func $get-lowered (canon lower (func $http "get-text")
          (memory (core memory $base "memory")) (realloc (core func $base "realloc"))))
        ;;IMPORTS;; (import "host" "get" (func $get (param i32 i32 i32)))
        ;;WITH;; (export "get" (func $get-lowered))
        "#
    );
    let run = r#"(func (export "run") (param i32 i32) (result i32)
      (call $get (local.get 0) (local.get 1) (i32.const 8))
      (i32.store (i32.const 32) (i32.const 0))
      (i32.store (i32.const 36) (i32.mul (memory.size) (i32.const 65536)))
      (i32.const 32))"#;
    guest(
        &imports,
        run,
        &[("run", "(param \"url\" string) (result (list u8))")],
    )
}

/// Every form in which a server may send a text back.
fn forms(secret: &str) -> Vec<String> {
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let percent: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
    vec![
        secret.to_owned(),
        STANDARD.encode(secret),
        STANDARD.encode(format!("Bearer:{secret}")),
        URL_SAFE_NO_PAD.encode(format!("ab{secret}")),
        hex,
        percent,
        secret.replace('/', "%2F"),
    ]
}

/// Answers one request with all forms of what it was sent, and gives the request.
fn echo(listener: TcpListener, secret: String) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    let mut request = Vec::new();
    let mut bytes = [0; 4096];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "the request is cut");
        request.extend_from_slice(&bytes[..count]);
    }
    let body = format!("before {} after", forms(&secret).join(" | "));
    let head = format!(
        "HTTP/1.1 200 OK\r\nx-echo: {secret}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    String::from_utf8(request).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_a_server_sends_back_is_nowhere_in_the_guests_memory() {
    let secret = std::env::var(VARIABLE).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn({
        let secret = secret.clone();
        move || echo(listener, secret)
    });
    let grant = HttpGrant {
        origins: vec![Origin::parse(&format!("http://{address}")).unwrap()],
        methods: vec!["GET".to_owned()],
        paths: None,
        redirects: 0,
        private_addresses: vec![Network::parse("127.0.0.1").unwrap()],
        max_body: 1 << 20,
        secrets: vec![SecretHeader {
            name: "authorization".to_owned(),
            variable: VARIABLE.to_owned(),
            place: Place::of_bytes("lacuna.toml", "", 0, 0),
        }],
    };
    let cases = CASES.map(|case| {
        let ty = if case == "status" {
            Type::U16
        } else {
            Type::String
        };
        (case.to_owned(), Some(ty))
    });
    let result = Type::Result {
        ok: Some(Box::new(Type::String)),
        err: Some(Box::new(Type::Variant {
            name: "error".to_owned(),
            cases: cases.to_vec(),
        })),
    };
    let import = http(
        grant,
        vec![function(
            "get-text",
            vec![named("url", Type::String)],
            Some(result),
        )],
    );
    let url = Value::String(format!("http://{address}/page"));
    let report = run(
        &dumper(),
        vec![import],
        &RunLimits::default(),
        "run",
        vec![url],
    )
    .await;
    let sent = server.join().unwrap();
    assert!(sent.contains(&secret), "the server has got it");
    let Ok(Some(Value::List(memory))) = report.result else {
        panic!("{:?}", report.result);
    };
    let memory: Vec<u8> = memory
        .into_iter()
        .map(|byte| match byte {
            Value::U8(byte) => byte,
            other => panic!("{other:?}"),
        })
        .collect();
    let holds = |text: &str| {
        memory
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(holds("before ") && holds(" after"), "the answer is in it");
    for form in forms(&secret) {
        assert!(!holds(&form), "{form}");
        // Nor a part that would help.
        let middle = form.len() / 2;
        assert!(!holds(&form[middle - 6..middle + 6]), "a part of {form}");
    }
}
