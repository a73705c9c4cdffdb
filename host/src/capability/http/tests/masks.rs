//! Secrets: what is masked, in which forms, and which values are refused.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use super::super::client::Client;
use super::super::mask::{Mask, pieces};
use super::super::types::{HttpError, Request};
use super::server::{Server, response};
use super::{Answers, local, secrets};
use crate::error::Explain;

const TOKEN: &str = "sk-aB3/xY9+\"q&z~0";

fn each(secret: &str, form: impl Fn(u8) -> String) -> String {
    secret.bytes().map(form).collect()
}

/// A secret in the forms in which servers echo things, and how many characters may be left of each.
fn forms(secret: &str) -> Vec<(String, usize)> {
    let whole = vec![
        secret.to_owned(),
        secret.to_ascii_uppercase(),
        each(secret, |byte| format!("%{byte:02x}")),
        each(secret, |byte| format!("%{byte:02X}")),
        each(secret, |byte| format!("%25{byte:02X}")),
        each(secret, |byte| format!("\\u{byte:04x}")),
        each(secret, |byte| format!("\\x{byte:02X}")),
        each(secret, |byte| format!("&#{byte};")),
        each(secret, |byte| format!("&#x{byte:x};")),
        each(secret, |byte| format!("{byte:02x}")),
        each(secret, |byte| format!("{byte:02X}")),
        each(secret, |byte| format!("{byte:02x}:"))
            .trim_end_matches(':')
            .to_owned(),
        // Only what must be escaped.
        each(secret, |byte| match byte.is_ascii_alphanumeric() {
            true => (byte as char).to_string(),
            false => format!("%{byte:02X}"),
        }),
        secret
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('/', "\\/"),
        secret.replace('"', "\\\\\\\""),
        secret.replace('&', "&amp;").replace('"', "&quot;"),
    ];
    // A backslash at the end is masked, and the one that escapes or is escaped by it stays.
    let beside = usize::from(secret.ends_with('\\'));
    let mut forms: Vec<(String, usize)> = whole.into_iter().map(|form| (form, beside)).collect();
    for before in ["", "a", "ab", "Basic ", "authorization: Bearer "] {
        for after in ["", "x", "xy"] {
            let whole = format!("{before}{secret}{after}");
            let encoded = STANDARD.encode(&whole);
            // What stood beside the secret, and padding.
            let beside = 2 * (before.len() + after.len()) + 6;
            let mut add = |form: String| forms.push((form, beside));
            add(URL_SAFE_NO_PAD.encode(&whole));
            add(encoded
                .replace('+', "%2B")
                .replace('/', "%2f")
                .replace('=', "%3D"));
            let lines: Vec<&str> = encoded
                .as_bytes()
                .chunks(12)
                .map(|line| std::str::from_utf8(line).unwrap())
                .collect();
            add(lines.join("\r\n"));
            add(lines.join("\\n"));
            add(encoded);
        }
    }
    forms
}

#[test]
fn every_form_is_masked_and_nothing_else() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut tokens = vec![TOKEN.to_owned(), "aaaaaaaaaaaa".to_owned()];
    tokens.extend((0..40).map(|_| {
        (0..random.usize(8..40))
            .map(|_| random.u8(0x21..0x7f) as char)
            .collect()
    }));
    for token in tokens {
        let mask = Mask::of(&[&token]);
        for (form, beside) in forms(&token) {
            let text = format!("<p> {form} </p>");
            let masked = mask.text(text.clone());
            assert!(masked.contains("[secret]"), "{token}: {text} → {masked}");
            let left = masked.len().saturating_sub("<p> [secret] </p>".len());
            assert!(left <= beside, "{token}: {text} → {masked}");
        }
        let others = "nothing of it: aGVsbG8gd29ybGQ=, %41%42, 6162636465, \\u0041\\u0042, ü";
        assert_eq!(mask.text(others.to_owned()), others);
    }
}

#[test]
fn secrets_that_overlap_or_repeat_go_as_a_whole() {
    let mask = Mask::of(&["abcabcab", "cabcabxy"]);
    assert_eq!(mask.text("1abcabcabcabxy2".to_owned()), "1[secret]2");
    assert_eq!(
        mask.text("abcabcab abcabcab".to_owned()),
        "[secret] [secret]"
    );
    assert_eq!(
        mask.bytes(b"\xff\xfeabcabcab\xff".to_vec()),
        b"\xff\xfe[secret]\xff"
    );
}

#[test]
fn long_runs_take_no_long_time() {
    let mask = Mask::of(&[TOKEN]);
    for run in ["\\", "%25", "%", "&#", "s", "sk-aB3/", "%732"] {
        let text = run.repeat((256 << 10) / run.len());
        let started = std::time::Instant::now();
        let _ = mask.bytes(text.into_bytes());
        assert!(
            started.elapsed().as_secs() < 10,
            "{run}: {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn the_parts_of_a_header_are_secret_too() {
    assert_eq!(pieces("token-1234"), ["token-1234"]);
    assert_eq!(
        pieces("Bearer token-1234"),
        ["Bearer token-1234", "token-1234"]
    );
    let basic = format!("basic {}", STANDARD.encode("user:password-1"));
    let parts = pieces(&basic);
    assert_eq!(parts[2..], ["password-1", "user:password-1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_echo_comes_back_masked_everywhere() {
    let server = Server::start(|request, stream| {
        let value = request
            .header("authorization")
            .unwrap_or_default()
            .to_owned();
        let token = value.trim_start_matches("Bearer ").to_owned();
        let mut body = String::new();
        for (form, _) in forms(&value).into_iter().chain(forms(&token)) {
            let _ = writeln!(body, "{form}");
        }
        let answer = match request.path.as_str() {
            "/away" => response(302, &[("location", &format!("http://c.test/{token}"))], b""),
            _ => response(
                200,
                &[
                    ("x-echo", &value),
                    (&format!("x-{}", token.replace(['/', '"'], "")), "y"),
                ],
                body.as_bytes(),
            ),
        };
        stream.write_all(&answer).map(|()| false)
    });
    let token = "sk-aB3xY9q7z0";
    let grant = local(
        server.port,
        "header.authorization = { env = \"KEY\" }\nredirects = 2",
    );
    let secrets = secrets(&grant, &[("KEY", &format!("Bearer {token}"))])
        .unwrap_or_else(|error| panic!("{error}"));
    let client = Client::new(grant, secrets, Arc::new(Answers::default()));
    for path in ["x", "away"] {
        let url = format!("http://a.test:{}/{path}", server.port);
        let answer = client.send(Request::get(url)).await;
        if let Ok(response) = &answer {
            assert!(
                response
                    .body
                    .windows(8)
                    .filter(|window| *window == b"[secret]")
                    .count()
                    > 100
            );
        }
        let shown = match answer {
            Ok(response) => format!(
                "{:?}{}",
                response.headers,
                String::from_utf8_lossy(&response.body)
            ),
            Err(error) => format!("{error:?}"),
        };
        assert!(shown.contains("[secret]"), "{shown}");
        for (form, beside) in forms(token) {
            // Of longer ones the middle is not the secret.
            if beside < 20 {
                let part = form[form.len() / 4..form.len() * 3 / 4].to_lowercase();
                assert!(
                    !shown.to_lowercase().contains(&part),
                    "{part} in {shown:.2000}"
                );
            }
        }
    }
    let seen = server.requests();
    assert!(
        seen.iter()
            .all(|request| request.header("authorization") == Some("Bearer sk-aB3xY9q7z0"))
    );
    // The guest cannot set it, nor see whether it is right.
    let request = Request {
        headers: vec![("Authorization".to_owned(), "x".to_owned())],
        ..Request::get(format!("http://a.test:{}/x", server.port))
    };
    let answer = client.send(request).await;
    assert!(
        matches!(answer, Err(HttpError::ForbiddenHeader(_))),
        "{answer:?}"
    );
    assert_eq!(server.requests().len(), seen.len());
}

#[test]
fn values_that_cannot_be_secrets_are_refused_without_being_shown() {
    let grant = local(1, "header.authorization = { env = \"KEY\" }");
    for (value, words) in [
        (None, "is not set"),
        (Some(""), "is empty"),
        (Some("  \n"), "is empty"),
        (Some("short-1"), "too short"),
        (Some("Bearer hidden"), "too short"),
        (Some("Basic dXNlcjpwYXNz"), "too short"),
        (Some("hidden\r\nvalue: x"), "no header can carry"),
        (Some("hidden-\u{7f}-value"), "no header can carry"),
    ] {
        let variables: Vec<(&str, &str)> = value.map(|value| ("KEY", value)).into_iter().collect();
        let Err(error) = secrets(&grant, &variables) else {
            panic!("{value:?} is taken");
        };
        let text = format!("{error} {}", error.hint().unwrap_or_default());
        assert!(
            text.contains(words) && text.contains("`KEY`"),
            "{value:?}: {text}"
        );
        assert!(
            !text.contains("hidden") && !text.contains("short-1"),
            "{text}"
        );
        assert!(error.place().is_some());
    }
    assert!(secrets(&grant, &[("KEY", " Bearer long-enough\n")]).is_ok());
}
