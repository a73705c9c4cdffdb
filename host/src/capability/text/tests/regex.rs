//! Patterns: what is found, what is refused, what a search may cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{bounds, error, limit, texts};
use crate::capability::call::Bounds;
use crate::capability::compute::Answer;
use crate::capability::text::regex::{
    Match, Patterns, find, find_all, is_match, replace_all, split,
};

fn search(pattern: &str, text: &str) -> (String, String) {
    (pattern.to_owned(), text.to_owned())
}

fn all(pattern: &str, text: &str) -> Answer<Vec<Match>> {
    find_all(&Arc::default(), &search(pattern, text), &bounds())
}

fn replaced(pattern: &str, text: &str, replacement: &str) -> Answer<String> {
    let given = (pattern.to_owned(), text.to_owned(), replacement.to_owned());
    replace_all(&Arc::default(), &given, &bounds())
}

#[test]
fn matches_have_places_and_groups() {
    let found = all(r"(?<key>\w+)=(\d+)?", "ä=1, bc=").unwrap();
    assert_eq!(
        found[0],
        Match {
            text: "ä=1".to_owned(),
            start: 0,
            end: 4,
            groups: vec![
                Some("ä=1".to_owned()),
                Some("ä".to_owned()),
                Some("1".to_owned())
            ],
        }
    );
    assert_eq!((found[1].start, found[1].end), (6, 9));
    assert_eq!(found[1].groups[2], None);
    assert_eq!(found.len(), 2);
    assert_eq!(all("x", "abc"), Ok(vec![]));
    let first = find(&Arc::default(), &search("b+", "abbcb"), &bounds())
        .unwrap()
        .unwrap();
    assert_eq!((first.start, first.end), (1, 3));
    assert_eq!(
        is_match(&Arc::default(), &search("^a.c$", "abc"), &bounds()),
        Ok(true)
    );
    assert_eq!(
        split(&Arc::default(), &search(r"\s*,\s*", "a , b,c,"), &bounds()),
        Ok(texts(&["a", "b", "c", ""]))
    );
    assert_eq!(
        replaced(r"(\w+)@(?<host>\w+)", "me@here you@there", "$host:${1}! $$"),
        Ok("here:me! $ there:you! $".to_owned())
    );
}

#[test]
fn a_wrong_pattern_says_where() {
    assert_eq!(
        error(all("a(b", "")),
        "the pattern is not valid at column 2: unclosed group (`(`)"
    );
    assert!(error(all(r"(?=a)", "")).contains("look-around"));
    assert!(error(all(r"(a)\1", "")).contains("backreferences"));
    assert!(error(all(r"\p{Nothing}", "")).contains("Unicode property not found"));
    assert!(error(all(&"(".repeat(300), "")).starts_with("the pattern is not valid"));
    assert!(error(all(&"a".repeat(9000), "")).contains("longer than the 8192"));
    assert!(error(all(r"\w{1000}", "")).contains("needs more than 1048576 bytes"));
    // Room for the ends of 2,700 groups in each of as many states would be half a gigabyte.
    assert!(error(all(&"()".repeat(2700), "")).contains("needs more than 3106 bytes"));
    assert!(all(&r"(\d+) ".repeat(30), &"1 ".repeat(40)).is_ok());
}

/// The worst that was found within the bound: every place of the pattern may be where the search stands.
#[test]
fn a_search_ends_soon_or_is_refused() {
    let text = "ab".repeat(160_000);
    let dear = "[ab]*a[ab]{800}c";
    let started = Instant::now();
    assert_eq!(
        is_match(&Arc::default(), &search(dear, &text), &bounds()),
        Ok(false)
    );
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
    let text = "ab".repeat(1_000_000);
    let refused = error(is_match(&Arc::default(), &search(dear, &text), &bounds()));
    assert_eq!(
        refused,
        "the pattern unrolls to 1604 places, which is too much for a text of 2000000 bytes: \
         search parts of the text, or use smaller repetitions"
    );
    // An ordinary pattern may search all that crosses.
    let log = "2026-01-02T03:04:05Z GET /index.html 200 192.168.100.200\n".repeat(140_000);
    let ordinary = r"(\d{4})-(\d{2})-(\d{2})T.* (\d{1,3})\.\d{1,3}\.\d{1,3}\.\d{1,3}";
    assert!(is_match(&Arc::default(), &search(ordinary, &log), &bounds()).is_ok());
}

#[test]
fn answers_end_at_their_size() {
    let small = Bounds::new(0, 1000);
    let patterns = Arc::new(Patterns::default());
    let text = "a".repeat(100);
    assert_eq!(
        limit(find_all(&patterns, &search("a", &text), &small)),
        "crossing"
    );
    assert_eq!(
        limit(split(&patterns, &search("a", &text), &small)),
        "crossing"
    );
    assert_eq!(
        limit(find(&patterns, &search(&"()".repeat(100), &text), &small)),
        "crossing"
    );
    let grown = (".*".to_owned(), text.clone(), "$0".repeat(100));
    assert_eq!(limit(replace_all(&patterns, &grown, &small)), "crossing");
    let grown = ("a".to_owned(), text, "0123456789".repeat(2));
    assert_eq!(limit(replace_all(&patterns, &grown, &small)), "crossing");
}

#[test]
fn few_patterns_are_kept() {
    let patterns = Arc::new(Patterns::default());
    for number in 0..100 {
        let search = search(&format!("a{number}"), "xa99");
        assert_eq!(
            is_match(&patterns, &search, &bounds()),
            Ok(number == 99 || number == 9)
        );
    }
    assert_eq!(patterns.count(), 8);
}

proptest! {
    /// Whatever the pattern, the answers are those of the crate.
    #[test]
    fn answers_are_the_crates(pattern in "[ab.()|*+?^$\\[\\]\\\\dws{},0-2]{0,12}", text in "[ab1 \nä]{0,20}", replacement in "[ab$0-2{}]{0,6}") {
        let patterns = Arc::new(Patterns::default());
        let given = search(&pattern, &text);
        let Ok(regex) = ::regex::Regex::new(&pattern) else {
            prop_assert!(is_match(&patterns, &given, &bounds()).is_err());
            return Ok(());
        };
        prop_assert_eq!(is_match(&patterns, &given, &bounds()), Ok(regex.is_match(&text)));
        let found = find_all(&patterns, &given, &bounds()).unwrap();
        let expected: Vec<(u32, u32)> = regex.find_iter(&text).map(|found| (found.start() as u32, found.end() as u32)).collect();
        prop_assert_eq!(found.iter().map(|found| (found.start, found.end)).collect::<Vec<_>>(), expected);
        prop_assert!(found.iter().all(|found| text[found.start as usize..found.end as usize] == found.text));
        let first = find(&patterns, &given, &bounds()).unwrap();
        prop_assert_eq!(first.as_ref(), found.first());
        let parts: Vec<String> = regex.split(&text).map(str::to_owned).collect();
        prop_assert_eq!(split(&patterns, &given, &bounds()).unwrap(), parts);
        let given = (pattern, text.clone(), replacement.clone());
        let expected = regex.replace_all(&text, replacement.as_str()).into_owned();
        prop_assert_eq!(replace_all(&patterns, &given, &bounds()), Ok(expected));
    }

    #[test]
    fn nothing_panics(pattern in any::<String>(), text in any::<String>(), replacement in any::<String>()) {
        let _ = find_all(&Arc::default(), &search(&pattern, &text), &bounds());
        let _ = replace_all(&Arc::default(), &(pattern, text, replacement), &bounds());
    }
}
