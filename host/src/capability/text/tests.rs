//! What each interface gives and refuses, beside the crates that do the work.

mod json;
mod regex;

use proptest::prelude::*;

use super::encoding::{base64_decode, hex_decode, hex_encode};
use super::{csv, place, url};
use crate::capability::call::Bounds;
use crate::capability::compute::{Answer, Refusal};

pub(super) fn bounds() -> Bounds {
    Bounds::new(0, 8 << 20)
}

pub(super) fn error<R: std::fmt::Debug>(answer: Answer<R>) -> String {
    match answer {
        Err(Refusal::Error(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// The limit that an answer met.
pub(super) fn limit<R: std::fmt::Debug>(answer: Answer<R>) -> &'static str {
    match answer {
        Err(Refusal::Limit(hit)) => hit.name,
        other => panic!("{other:?}"),
    }
}

pub(super) fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn parsed(text: &str, delimiter: char) -> Vec<Vec<String>> {
    csv::parse(&(text.to_owned(), delimiter), &bounds()).unwrap()
}

fn written(rows: &[&[&str]], delimiter: char) -> Answer<String> {
    let rows = rows.iter().map(|row| texts(row)).collect();
    csv::write(&(rows, delimiter), &bounds())
}

#[test]
fn places_count_characters() {
    assert_eq!(place::place("ab\ncd", 4), (2, 2));
    assert_eq!(place::place("äö\nü", 4), (1, 3));
    assert_eq!(place::place("äö\nü", 5), (2, 1));
    assert_eq!(place::place("ä", 1), (1, 2), "within a character");
    assert_eq!(place::place("", 9), (1, 1));
}

#[test]
fn csv_with_quotes() {
    assert_eq!(
        parsed(
            "a,b\n\"x, y\",\"say \"\"hi\"\"\"\r\n\n1,\"two\nlines\",3\n",
            ','
        ),
        [
            texts(&["a", "b"]),
            texts(&["x, y", "say \"hi\""]),
            texts(&["1", "two\nlines", "3"])
        ]
    );
    assert_eq!(parsed("a;b\tc", ';'), [texts(&["a", "b\tc"])]);
    assert_eq!(parsed("a;b\tc", '\t'), [texts(&["a;b", "c"])]);
    assert_eq!(parsed("\u{feff}a,ß", ','), [texts(&["a", "ß"])]);
    assert!(parsed("", ',').is_empty());
    assert_eq!(
        written(&[&["a", "x, y"], &["say \"hi\"", ""], &[""]], ','),
        Ok("a,\"x, y\"\n\"say \"\"hi\"\"\",\n\"\"\n".to_owned())
    );
    for delimiter in ['"', '\n', '\r', '\0', 'ä', '→'] {
        assert!(
            error(csv::parse(&("a".to_owned(), delimiter), &bounds()))
                .contains("can't be a delimiter")
        );
        assert!(error(written(&[], delimiter)).contains("can't be a delimiter"));
    }
}

#[test]
fn csv_by_columns() {
    let table = |text: &str, columns: &[&str]| {
        csv::table(&(text.to_owned(), ',', texts(columns)), &bounds())
    };
    assert_eq!(
        table(
            "id,name,price\n1,tea,2.50\n2,\"a, b\",3\n",
            &["price", "id"]
        ),
        Ok(vec![texts(&["2.50", "1"]), texts(&["3", "2"])])
    );
    assert_eq!(
        error(table("id,name\n1,tea\n", &["prize"])),
        "there is no column `prize`; the header has: id, name"
    );
    assert_eq!(
        error(table("id,name\n\n1,tea\n2\n", &["name"])),
        "line 4 has 1 fields and so no `name`"
    );
    assert_eq!(error(table("", &["name"])), "the text has no header");
    assert_eq!(table("a,b\n", &["b"]), Ok(vec![]));
}

#[test]
fn csv_ends_at_the_size_of_its_answer() {
    let small = Bounds::new(0, 1000);
    assert_eq!(
        limit(csv::parse(&(",".repeat(100), ','), &small)),
        "crossing"
    );
    let text = "a\n".to_owned() + &"1\n".repeat(100);
    assert_eq!(
        limit(csv::table(&(text, ',', texts(&["a"])), &small)),
        "crossing"
    );
    assert_eq!(
        limit(csv::write(
            &(vec![texts(&["0123456789"]); 100], ','),
            &small
        )),
        "crossing"
    );
}

#[test]
fn encodings() {
    for text in ["_-8", "/+8", "/+8="] {
        // Both alphabets, with and without padding.
        assert_eq!(base64_decode(text).unwrap(), [255, 239], "{text}");
    }
    for text in ["/", "a b=", "====", "aGk=x", "ä"] {
        assert!(
            error(base64_decode(text)).starts_with("not base64: "),
            "{text}"
        );
    }
    assert_eq!(hex_decode("00fFa0").unwrap(), [0, 255, 160]);
    assert_eq!(
        error(hex_decode("0")),
        "not hex: 1 digits are an odd number"
    );
    assert_eq!(
        error(hex_decode("0äff")),
        "not hex: 'ä' at character 2 is no digit"
    );
}

#[test]
fn parts_of_a_url() {
    let parse = |text: &str| url::parse(&(text.to_owned(),), &bounds());
    let parts = parse("HTTPS://me:pw@Example.COM:443/a%20b/../c?q=x+y&q=%C3%A4&e#top").unwrap();
    assert_eq!(
        (
            parts.scheme.as_str(),
            parts.username.as_str(),
            parts.password.as_deref()
        ),
        ("https", "me", Some("pw"))
    );
    assert_eq!(
        (
            parts.host.as_deref(),
            parts.port,
            parts.path.as_str(),
            parts.fragment.as_deref()
        ),
        (Some("example.com"), None, "/c", Some("top"))
    );
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        parts.query,
        [pair("q", "x y"), pair("q", "ä"), pair("e", "")]
    );
    assert_eq!(parse("http://[::1]:8080/").unwrap().port, Some(8080));
    assert_eq!(
        error(parse("/only/a/path")),
        "`/only/a/path` is no URL: relative URL without a base"
    );
    assert_eq!(
        url::join("https://a.b/c/d?x", "../e").unwrap(),
        "https://a.b/e"
    );
    assert!(url::join("c/d", "e").is_err());
    let long = format!("http://a/{}", "x".repeat(70_000));
    assert!(error(parse(&long)).contains("longer than the 65536"));
    assert!(error(url::join("http://a/", &long)).contains("longer than the 65536"));
    assert_eq!(url::encode("a b/ä~"), "a%20b%2F%C3%A4~");
    assert_eq!(url::decode("a%20b%2f%C3%A4+").unwrap(), "a b/ä+");
    assert_eq!(
        error(url::decode("ab%2")),
        "no two hex digits follow the `%` at byte 3"
    );
    assert_eq!(
        error(url::decode("%+f")),
        "no two hex digits follow the `%` at byte 1"
    );
    assert_eq!(
        error(url::decode("%ff")),
        "the decoded bytes are no UTF-8 text"
    );
    assert_eq!(
        url::write_query(&[pair("a b", "&"), pair("c", "")]),
        "a+b=%26&c="
    );
    let many = "&a".repeat(1000);
    assert_eq!(
        limit(url::pairs(
            ::url::form_urlencoded::parse(many.as_bytes()),
            &Bounds::new(0, 10_000)
        )),
        "crossing"
    );
}

proptest! {
    #[test]
    fn csv_is_read_as_it_was_written(rows in prop::collection::vec(prop::collection::vec("[a,;\"\n\r \\PC]{0,6}", 1..4), 0..5), delimiter in prop::sample::select(vec![',', ';', '\t', '|', ' '])) {
        let text = csv::write(&(rows.clone(), delimiter), &bounds()).unwrap();
        // A mark of byte order at the very start is taken for one.
        prop_assume!(!text.starts_with('\u{feff}'));
        prop_assert_eq!(csv::parse(&(text, delimiter), &bounds()), Ok(rows));
    }

    #[test]
    fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        use base64::Engine;
        for text in [
            base64::engine::general_purpose::STANDARD.encode(&bytes),
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&bytes),
        ] {
            prop_assert_eq!(base64_decode(&text), Ok(bytes.clone()));
        }
        prop_assert_eq!(hex_decode(&hex_encode(&bytes)), Ok(bytes));
    }

    #[test]
    fn percent_encoding_comes_back(text in any::<String>(), pairs in prop::collection::vec((any::<String>(), any::<String>()), 0..4)) {
        prop_assert_eq!(url::decode(&url::encode(&text)), Ok(text));
        let query = url::write_query(&pairs);
        prop_assert_eq!(url::pairs(::url::form_urlencoded::parse(query.as_bytes()), &bounds()), Ok(pairs));
    }

    #[test]
    fn nothing_panics(text in any::<String>(), other in any::<String>(), delimiter in any::<char>(), columns in prop::collection::vec(any::<String>(), 0..3)) {
        let _ = csv::parse(&(text.clone(), delimiter), &bounds());
        let _ = csv::table(&(text.clone(), ',', columns.clone()), &bounds());
        let _ = csv::write(&(vec![columns, vec![]], delimiter), &bounds());
        let _ = (base64_decode(&text), hex_decode(&text), url::decode(&text));
        let _ = url::parse(&(text.clone(),), &bounds());
        let _ = url::join(&text, &other);
        let _ = url::join("http://a/b", &other);
    }
}
