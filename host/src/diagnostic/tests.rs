use super::*;

fn span(line: u32, from: u32, to: u32) -> Span {
    Span::new(
        Position { line, column: from },
        Position { line, column: to },
    )
}

#[test]
fn a_picture_shows_line_caret_label_and_help() {
    let text = "let a = 1;\n\trepo::write(a);\n";
    let mut diagnostic = Diagnostic::error("x", "cannot find function `write` in `repo`")
        .at(span(2, 8, 13).labelled("not found"))
        .help("granted in `repo`: read-text");
    diagnostic.code = Some("E0425".into());
    let (list, omitted) = finish(vec![diagnostic], text);
    assert_eq!(omitted, 0);
    assert_eq!(
        list[0].rendered,
        "error[E0425]: cannot find function `write` in `repo`\n --> snippet:2:8\n  |\n2 |     repo::write(a);\n  |           ^^^^^ not found\n  = help: granted in `repo`: read-text\n"
    );
}

#[test]
fn a_span_over_lines_shows_the_first_and_the_last() {
    let text = "f(\n  1,\n  2,\n  3\n)";
    let diagnostic = Diagnostic::error("x", "m").at(Span::new(
        Position { line: 1, column: 2 },
        Position { line: 5, column: 2 },
    )
    .labelled("here"));
    let (list, _) = finish(vec![diagnostic], text);
    assert!(
        list[0]
            .rendered
            .contains("1 | f(\n  |  ^\n...\n5 | )\n  | ^ here\n"),
        "{}",
        list[0].rendered
    );
}

#[test]
fn errors_come_first_in_the_order_of_the_text_and_once() {
    let list = vec![
        Diagnostic::warning("w", "w").at(span(1, 1, 2)),
        Diagnostic::error("b", "b").at(span(2, 1, 2)),
        Diagnostic::error("none", "no place"),
        Diagnostic::error("a", "a").at(span(1, 3, 4)),
        Diagnostic::error("b", "b").at(span(2, 1, 2)),
    ];
    let (list, omitted) = finish(list, "abc\nabc");
    let order: Vec<&str> = list.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(order, ["a", "b", "no place", "w"]);
    assert_eq!(omitted, 0);
}

#[test]
fn caps_hold_and_are_counted() {
    let many: Vec<_> = (0..100)
        .map(|n| Diagnostic::error("x", format!("m{n}")).at(span(n + 1, 1, 2)))
        .collect();
    let (list, omitted) = finish(many, "x");
    assert_eq!((list.len(), omitted), (64, 36));
    let long: Vec<_> = (0..60)
        .map(|n| Diagnostic::error("x", format!("m{n}{}", "y".repeat(5000))))
        .collect();
    let (list, omitted) = finish(long, "x");
    assert_eq!(list.len() as u64 + omitted, 60);
    assert!(serde_json::to_string(&list).unwrap().len() <= 65 * 1024);
    let text = for_model(&list, "x");
    assert!(text.len() <= 4096, "{}", text.len());
    assert!(text.contains("more not shown"));
}

#[test]
fn json_means_what_it_meant() {
    let value = serde_json::json!({ "a": "\u{1b}\u{9b}\u{202e}\u{7f}\u{e0041}é\n" });
    let text = escape_json(&value.to_string()).into_owned();
    assert!(
        text.is_ascii() || text.chars().all(|c| c.is_ascii() || c == 'é'),
        "{text}"
    );
    assert!(!text.contains('\u{7f}'), "{text}");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap(),
        value
    );
}

#[test]
fn hidden_characters_are_named() {
    assert_eq!(
        escape_controls("a\u{1b}[31m\u{202e}b\n\tc"),
        "a\\u{1b}[31m\\u{202e}b\n\tc"
    );
    let diagnostic = Diagnostic::error("x", "\u{1b}[2J").at(span(1, 2, 3).labelled("\u{202e}"));
    let (list, _) = finish(vec![diagnostic], "\u{202e}\u{7}x");
    assert!(
        !list[0]
            .rendered
            .chars()
            .any(|c| c == '\u{1b}' || c == '\u{202e}' || c == '\u{7}')
    );
    assert!(
        list[0]
            .rendered
            .contains("\\u{202e}\\u{7}x\n  |         ^^^^^ "),
        "{}",
        list[0].rendered
    );
    assert!(!list[0].message.contains('\u{1b}'));
}

#[test]
fn wide_lines_are_cut_around_the_span() {
    let text = format!("{}BAD{}", "a".repeat(1000), "b".repeat(1000));
    let diagnostic = Diagnostic::error("x", "m").at(span(1, 1001, 1004));
    let (list, _) = finish(vec![diagnostic], &text);
    let lines: Vec<&str> = list[0].rendered.lines().collect();
    assert!(lines[3].chars().count() < 160);
    let caret = lines[4].chars().position(|c| c == '^').unwrap();
    let shown: String = lines[3].chars().skip(caret).take(3).collect();
    assert_eq!(shown, "BAD");
}

#[test]
fn impossible_spans_do_no_harm() {
    for (start, end) in [
        ((0, 0), (0, 0)),
        ((9, 9), (1, 1)),
        ((1, u32::MAX - 1), (u32::MAX, u32::MAX)),
        ((u32::MAX, 1), (u32::MAX, 2)),
    ] {
        let diagnostic = Diagnostic::error("x", "m").at(Span::new(
            Position {
                line: start.0,
                column: start.1,
            },
            Position {
                line: end.0,
                column: end.1,
            },
        ));
        let (list, _) = finish(vec![diagnostic], "é\n");
        assert!(!list[0].rendered.is_empty());
    }
}

#[test]
fn json_is_the_contract() {
    let diagnostic = Diagnostic::error("no-code", "m")
        .at(span(3, 9, 14).labelled("l"))
        .help("h");
    assert_eq!(
        serde_json::to_string(&diagnostic).unwrap(),
        r#"{"code":"lacuna::no-code","level":"error","message":"m","spans":[{"start":{"line":3,"column":9},"end":{"line":3,"column":14},"label":"l","primary":true}],"help":["h"],"fix":null,"rendered":""}"#
    );
}
