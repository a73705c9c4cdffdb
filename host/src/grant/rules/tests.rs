//! Rules as a manifest writes them, against types and calls.

use serde_json::json;

use crate::grant::tests::resolved_grant;

/// A tool whose parameters have every shape that a rule can be about.
const TOOL: &str = "package t:h;
interface tool {
  record address { street: string, zip: option<string> }
  enum level { low, high }
  flags rights { read, write }
  variant body { text(string), none }
  send: func(to: list<string>, amount: f64, count: u64, note: option<string>, home: address, level: level, rights: rights,
    body: body, pair: tuple<string, u8>, homes: list<address>);
}
world hole {
  import tool;
  export run: func(payee: string, limits: list<u64>, home: string);
}";

fn arguments() -> serde_json::Value {
    json!([["a@x", "b@x"], 10.5, 18446744073709551615u64, null, {"street": "Elm 1", "zip": null}, "low", ["read"],
        {"text": "hi"}, ["p", 7], [{"street": "Elm 1", "zip": "1"}, {"street": "Oak 2", "zip": null}]])
}

/// What comes of `rules` for [`arguments`] and the hole's own: `ok`, or the rule that is broken.
fn held(rules: &str) -> String {
    let manifest = format!(
        "[hole.hole.grant.tool]\nprovider = \"stub\"\nanswers = \"a.json\"\n[hole.hole.grant.tool.where.send]\n{rules}\n"
    );
    let rules = match resolved_grant(TOOL, &manifest) {
        Ok(grant) => grant.rules["send"].clone(),
        Err(error) => panic!("{rules}\n{error}"),
    };
    let hole = [
        ("payee".to_owned(), json!("a@x")),
        ("limits".to_owned(), json!([1, 18446744073709551615u64])),
        ("home".to_owned(), json!("Elm 1")),
    ];
    let arguments = arguments();
    match rules.check(arguments.as_array().unwrap(), &hole) {
        Ok(()) => "ok".to_owned(),
        Err(broken) => broken.rule,
    }
}

#[test]
fn each_rule_holds_or_is_named() {
    for (rules, outcome) in [
        ("\"to[]\" = { one-of = [\"a@x\", \"b@x\"] }", "ok"),
        ("\"to[]\" = { one-of = [\"a@x\"] }", "to[]: one-of"),
        ("\"to[]\" = { one-of = [] }", "to[]: one-of"),
        ("to = { max-len = 2 }", "ok"),
        ("to = { max-len = 1 }", "to: max-len"),
        ("\"to[]\" = { matches = '[a-z]@x' }", "ok"),
        ("\"to[]\" = { matches = '[a-z]' }", "to[]: matches"),
        ("\"to[]\" = { matches = 'a@x|b' }", "to[]: matches"),
        ("\"to[]\" = { matches = '(?m)^.@x$' }", "ok"),
        ("\"to[]\" = { prefix = \"a\" }", "to[]: prefix"),
        ("amount = { max = 10.5, min = 10 }", "ok"),
        ("amount = { max = 10 }", "amount: max"),
        ("amount = { min = 11 }", "amount: min"),
        ("amount = { one-of = [10.5, 3] }", "ok"),
        ("count = { one-of = [18446744073709551615] }", "ok"),
        ("count = { max = 18446744073709551614 }", "count: max"),
        ("count = { min = 0x10 }", "ok"),
        ("count = { from = \"parameter:limits\" }", "ok"),
        ("count = { from = \"parameter:limits[]\" }", "ok"),
        ("amount = { from = \"parameter:limits\" }", "amount: from"),
        ("\"to[]\" = { from = \"parameter:payee\" }", "to[]: from"),
        ("note = { one-of = [\"x\"] }", "note: one-of"),
        ("note = { one-of = [\"x\"], none = true }", "ok"),
        ("note = { max-len = 3 }", "ok"),
        ("note = { from = \"parameter:payee\" }", "note: from"),
        ("home.street = { prefix = \"Elm\" }", "ok"),
        ("\"home.street\" = { from = \"parameter:home\" }", "ok"),
        (
            "home = { street = { max-len = 4 } }",
            "home.street: max-len",
        ),
        ("home.zip = { matches = \"[0-9]+\" }", "home.zip: matches"),
        ("home.zip = { matches = \"[0-9]+\", none = true }", "ok"),
        ("level = { one-of = [\"low\"] }", "ok"),
        ("level = { one-of = [\"high\"] }", "level: one-of"),
        ("\"rights[]\" = { one-of = [\"read\"] }", "ok"),
        (
            "\"rights[]\" = { one-of = [\"write\"] }",
            "rights[]: one-of",
        ),
        ("\"body.text\" = { max-len = 2 }", "ok"),
        ("\"body.text\" = { max-len = 1 }", "body.text: max-len"),
        ("\"pair.0\" = { one-of = [\"p\"] }", "ok"),
        ("\"pair.1\" = { max = 6 }", "pair.1: max"),
        (
            "\"homes[].street\" = { one-of = [\"Elm 1\", \"Oak 2\"] }",
            "ok",
        ),
        (
            "\"homes[].street\" = { from = \"parameter:home\" }",
            "homes[].street: from",
        ),
        (
            "\"homes[].zip\" = { one-of = [\"1\"] }",
            "homes[].zip: one-of",
        ),
    ] {
        assert_eq!(held(rules), outcome, "{rules}");
    }
}

#[test]
fn rules_that_can_never_fit_are_faults() {
    for (rules, message) in [
        ("tos = { max-len = 1 }", "`send` has no parameter `tos`"),
        (
            "to = { one-of = [\"a\"] }",
            "`one-of` can't be asked of `to`",
        ),
        (
            "amount = { one-of = [\"a\"] }",
            "`one-of`: \"a\" can never be a value of type f64",
        ),
        (
            "amount = { prefix = \"a\" }",
            "`prefix` can't be asked of `amount`",
        ),
        (
            "level = { one-of = [\"mid\"] }",
            "`one-of`: `level` has no case `mid`",
        ),
        (
            "home = { prefix = \"a\" }",
            "`prefix` can't be asked of `home`",
        ),
        ("\"home.town\" = { prefix = \"a\" }", "`home` has no `town`"),
        (
            "\"homes.street\" = { prefix = \"a\" }",
            "`homes` has no `street`",
        ),
        ("\"amount[]\" = { max = 1 }", "`amount` is no list"),
        (
            "note = { from = \"parameter:pay\" }",
            "the hole `hole` has no parameter `pay`",
        ),
        (
            "note = { from = \"payee\" }",
            "`from`: \"payee\" names no parameter",
        ),
        (
            "note = { matches = \"(\" }",
            "`matches`: the regular expression is not valid",
        ),
        (
            "note = { matches = \"a)|(b\" }",
            "`matches`: the regular expression is not valid",
        ),
        (
            "amount = { min = 2, max = 1 }",
            "no number is at least 2 and at most 1",
        ),
        (
            "level = { from = \"parameter:limits\" }",
            "`from`: `limits` is list<u64>, and can never be what `level` is",
        ),
        ("note = {}", "there is no rule here"),
        ("note = { none = true }", "there is no rule here"),
        ("note = { oneof = [\"a\"] }", "unknown rule `oneof`"),
        ("\"to[\" = { max-len = 1 }", "`to[` names no argument"),
        (
            "amount = { max = \"1\" }",
            "`max` must be a number, not text",
        ),
    ] {
        let manifest = format!(
            "[hole.hole.grant.tool]\nprovider = \"stub\"\nanswers = \"a.json\"\n[hole.hole.grant.tool.where.send]\n{rules}\n"
        );
        let error = resolved_grant(TOOL, &manifest).unwrap_err();
        assert!(error.contains(message), "{rules}\n{error}");
        assert!(error.contains("lacuna.toml:"), "{error}");
    }
}

#[test]
fn what_is_said_of_functions_is_checked_and_defaults_are_filled_in() {
    let grant = |keys: &str| {
        let manifest =
            format!("[hole.hole.grant.tool]\nprovider = \"stub\"\nanswers = \"a.json\"\n{keys}\n");
        resolved_grant(TOOL, &manifest)
    };
    let rules = |keys: &str| (*grant(keys).unwrap().rules["send"]).clone();
    let stub = rules("");
    assert!(stub.labels.is_empty() && !stub.sends && !stub.irreversible);
    let said = rules(
        "labels.send = [\"private\"]\nsends = [\"send\"]\nirreversible = true\nclearance = [\"private\"]\ncalls.send = 2",
    );
    assert_eq!(said.labels.names(), ["private"]);
    assert!(said.sends && said.irreversible && said.clearance.covers(said.labels));
    assert_eq!(said.sentences(), ["it may be called 2 times"]);
    let host = resolved_grant(TOOL, "[hole.hole.grant.tool]\nprovider = \"host\"\n").unwrap();
    let host = &host.rules["send"];
    assert!(host.sends && host.labels.names() == ["private", "untrusted"]);
    for (keys, message) in [
        ("calls.sent = 1", "has no function `sent`"),
        ("labels.send = [\"secret\"]", "unknown label `secret`"),
        ("sends = [\"sned\"]", "did you mean `send`?"),
        ("clearance = [\"privat\"]", "did you mean `private`?"),
        (
            "irreversible = \"send\"",
            "`irreversible` must be a list of texts",
        ),
    ] {
        let error = grant(keys).unwrap_err();
        assert!(error.contains(message), "{keys}\n{error}");
    }
}
