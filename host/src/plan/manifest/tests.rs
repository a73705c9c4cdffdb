use super::*;
use crate::error::render;

fn parse(text: &str) -> Manifest {
    Manifest::parse("lacuna.toml".into(), "lacuna.toml", text)
        .unwrap_or_else(|fault| panic!("{}", render(&fault)))
}

fn error(text: &str) -> String {
    render(&Manifest::parse("lacuna.toml".into(), "lacuna.toml", text).unwrap_err())
}

/// The messages of an error, without places and hints.
fn messages(text: &str) -> Vec<String> {
    error(text)
        .lines()
        .filter_map(|line| line.strip_prefix("error: "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_key_is_read() {
    let manifest = parse(
        r#"
schema = 1
entry = "audit"
[models.default]
provider = "replay"
dir = "recorded"
[models.big]
provider = "openai"
model = "m"
base-url = "http://127.0.0.1:1/v1"
max-output-tokens = 100
temperature = 0.5
timeout = "2m"
price = { input = 1, output = 5.5 }
[models.shell]
provider = "command"
command = "llm -m 'a b' \"c\\\"d\" e\\ f"
[budget]
attempts = 5
model-calls = 6
tokens = 7
usd = 0.5
wall = "1h"
depth = 2
holes = 3
parallel = 1
[limits]
memory = "1MiB"
fuel = 5e9
wall = 0
[hole.audit]
model = "big"
retry-on = ["rejected"]
[hole.audit.args]
lockfile = "Cargo.lock"
[hole.audit.limits]
memory = "2MiB"
rustc-wall = "500ms"
model-retries = 1
[hole.audit.grant.repo]
path = "../.."
functions = ["read-text"]
max-file = "1KiB"
[hole.audit.grant."t:h/log"]
provider = "stub"
answers = "a.json"
"#,
    );
    assert_eq!(manifest.entry.as_ref().unwrap().value, "audit");
    assert_eq!(manifest.model_for("audit").unwrap().0, "big");
    assert_eq!(manifest.model_for("other").unwrap().0, "default");
    assert_eq!(manifest.models["big"].timeout, Duration::from_secs(120));
    assert_eq!(
        manifest.models["big"].price,
        Some(Price {
            input: 1.0,
            output: 5.5
        })
    );
    assert_eq!(
        manifest.models["shell"].command.as_deref().unwrap(),
        ["llm", "-m", "a b", "c\"d", "e f"]
    );
    assert_eq!(manifest.budget.attempts, 5);
    assert_eq!(manifest.budget.wall, Duration::from_secs(3600));
    assert_eq!(manifest.budget.depth, 2);
    assert_eq!(manifest.limits.run.memory, 1 << 20);
    assert_eq!(manifest.limits.run.fuel, 5_000_000_000);
    assert_eq!(manifest.limits.run.wall, Duration::ZERO);
    let limits = manifest.limits("audit");
    assert_eq!(limits.run.memory, 2 << 20);
    assert_eq!(
        limits.run.fuel, 5_000_000_000,
        "limits of the plan lie below those of the hole"
    );
    assert_eq!(limits.compile.rustc_wall, Duration::from_millis(500));
    assert_eq!(limits.model.retries, 1);
    assert_eq!(manifest.limits("other").run.memory, 1 << 20);
    let hole = &manifest.holes["audit"];
    assert_eq!(hole.retry_on, ["rejected"]);
    assert_eq!(hole.args["lockfile"].value, "Cargo.lock");
    assert_eq!(hole.grants["repo"].max_file.as_ref().unwrap().value, 1024);
    assert_eq!(
        hole.grants["t:h/log"].answers.as_ref().unwrap().value,
        "a.json"
    );
}

#[test]
fn an_empty_manifest_has_the_defaults() {
    let manifest = parse("schema = 1");
    assert_eq!(manifest.budget, BudgetConfig::default());
    assert_eq!(manifest.limits, Limits::default());
    assert!(manifest.model_for("x").is_none());
}

#[test]
fn unknown_keys_name_the_nearest() {
    assert_eq!(
        error("schema = 1\n[budget]\natempts = 3\n"),
        "error: unknown key `atempts`\n --> lacuna.toml:3:1\n  |\n3 | atempts = 3\n  | ^^^^^^^\n\nhint: did you mean `attempts`?\n"
    );
    assert_eq!(
        error("schema = 1\n[limits]\nzzz = 3\n")
            .lines()
            .next()
            .unwrap(),
        "error: unknown limit `zzz`"
    );
}

#[test]
fn later_keys_are_not_ignored() {
    assert_eq!(
        error("schema = 1\n[hole.h.grant.repo]\npath = \".\"\nsecret = [\"read\"]\n"),
        "error: `secret` is not supported yet\n --> lacuna.toml:4:1\n  |\n4 | secret = [\"read\"]\n  | ^^^^^^\n"
    );
    for (text, message) in [
        ("verify.allow.x = {}", "`verify` is not supported yet"),
        ("hole.h.models = []", "`models` is not supported yet"),
        (
            "hole.h.commit-on-err = true",
            "`commit-on-err` is not supported yet",
        ),
        (
            "hole.h.retry-on = [\"trap\"]",
            "`trap` is not supported yet",
        ),
        (
            "hole.h.grant.k.provider = \"hole\"",
            "calling another hole is not supported yet",
        ),
        (
            "hole.h.grant.k.hole = \"x\"",
            "calling another hole is not supported yet",
        ),
        (
            "hole.h.grant.k.secret = []",
            "`secret` is not supported yet",
        ),
    ] {
        assert_eq!(
            messages(&format!("schema = 1\n{text}\n")),
            [message],
            "{text}"
        );
    }
}

#[test]
fn types_and_units_are_checked() {
    assert_eq!(
        error("schema = 1\n[limits]\nmemory = \"64MB\"\n"),
        "error: `memory`: \"64MB\" is no size\n --> lacuna.toml:3:10\n  |\n3 | memory = \"64MB\"\n  |          ^^^^^^\n\nhint: its units are B, KiB, MiB and GiB; 0 means none\n"
    );
    for (text, message) in [
        ("limits.wall = \"30\"", "`wall`: \"30\" is no time"),
        ("limits.wall = \"1.5s\"", "`wall`: \"1.5s\" is no time"),
        (
            "limits.wall = \"99999999999999999999s\"",
            "`wall`: \"99999999999999999999s\" is no time",
        ),
        (
            "limits.wall = 30",
            "`wall` must be a time such as \"30s\", not a whole number",
        ),
        (
            "limits.fuel = -1",
            "`fuel` must be a whole number, 0 or more",
        ),
        (
            "limits.fuel = 1.5",
            "`fuel` must be a whole number, 0 or more",
        ),
        (
            "limits.fuel = \"1\"",
            "`fuel` must be a whole number, not text",
        ),
        ("budget.usd = -1.0", "`usd` must be a number, 0 or more"),
        (
            "budget.attempts = 5000000000",
            "`attempts` must not be larger than 4294967295",
        ),
        ("budget = 3", "`budget` must be a table, not a whole number"),
        (
            "hole.h.grant.k.functions = []",
            "`functions` is empty, so this grant would allow nothing",
        ),
        (
            "hole.h.grant.k.functions = \"a\"",
            "`functions` must be a list of texts, not text",
        ),
        (
            "hole.h.grant.k.functions = [\"a\", \"a\"]",
            "`a` stands twice",
        ),
        ("hole.h.model = \"x\"", "there is no `[models.x]`"),
        ("models.m.model = \"x\"", "model `m` has no `provider`"),
        (
            "models.m.provider = \"replay\"",
            "the provider `replay` needs `dir`",
        ),
        (
            "models.m = { provider = \"openai\", model = \"x\", dir = \"x\" }",
            "`dir` does not belong to the provider `openai`",
        ),
        (
            "models.m = { provider = \"command\", command = \"a 'b\" }",
            "`command`: a quote is not closed",
        ),
    ] {
        assert_eq!(
            messages(&format!("schema = 1\n{text}\n")),
            [message],
            "{text}"
        );
    }
    assert!(error("schema = 1\nhole.h.args.n = 3\n").ends_with("hint: write `n = \"3\"`\n"));
}

/// What is wrong with a model, and the first hint.
#[test]
fn models_are_checked_against_their_provider() {
    for (model, message, hint) in [
        (
            "provider = \"antropic\"",
            "unknown provider `antropic`",
            "did you mean `anthropic`?",
        ),
        (
            "provider = \"zzzzzzzz\"",
            "unknown provider `zzzzzzzz`",
            "known here: openai, anthropic, gemini, ollama, command, human, replay",
        ),
        (
            "provider = \"gemini\"",
            "the provider `gemini` needs `model`",
            "",
        ),
        (
            "provider = \"gemini\"\nmodle = \"x\"",
            "unknown key `modle`",
            "did you mean `model`?",
        ),
        (
            "provider = \"command\"",
            "the provider `command` needs `command`",
            "",
        ),
        (
            "provider = \"human\"\ntemperature = 0.5",
            "`temperature` does not belong to the provider `human`",
            "it belongs to `openai`, `anthropic`, `gemini`, `ollama`",
        ),
        (
            "provider = \"command\"\ncommand = \"cat\"\nmodel = \"x\"",
            "`model` does not belong to the provider `command`",
            "it belongs to `openai`, `anthropic`, `gemini`, `ollama`",
        ),
        (
            "provider = \"human\"\nbase-url = \"http://x\"",
            "`base-url` does not belong to the provider `human`",
            "it belongs to `openai`, `anthropic`, `gemini`, `ollama`",
        ),
        (
            "provider = \"human\"\nmax-tokens = 5",
            "unknown key `max-tokens`",
            "known here: provider, model, command, dir, base-url, max-output-tokens, temperature, timeout, clearance, price",
        ),
        (
            "provider = \"human\"\ntimeuot = \"5s\"",
            "unknown key `timeuot`",
            "did you mean `timeout`?",
        ),
        (
            "provider = \"human\"\nmax-output-tokens = 0",
            "`max-output-tokens` must be 1 or more",
            "an answer of no tokens is none",
        ),
        (
            "provider = \"human\"\ntimeout = \"5\"",
            "`timeout`: \"5\" is no time",
            "its units are ms, s, m and h; 0 means none",
        ),
        (
            "provider = \"human\"\nprice = 3",
            "`price` must be a table with `input` and `output`",
            "write `price = { input = 1.0, output = 5.0 }`, in USD per million tokens",
        ),
        (
            "provider = \"human\"\nprice.input = 3",
            "`price` needs both `input` and `output`",
            "write `price = { input = 1.0, output = 5.0 }`, in USD per million tokens",
        ),
        (
            "provider = \"human\"\nprice = { input = \"3\", output = 1 }",
            "`input`: \"3\" has no currency",
            "write USD per million tokens: `input = 3` or `input = \"3 USD\"`",
        ),
        (
            "provider = \"human\"\nprice = { input = 1, output = \"1.25 EUR\" }",
            "`output`: prices are in USD, and nothing here can convert `EUR`",
            "write USD per million tokens: `output = 1.25` or `output = \"1.25 USD\"`",
        ),
        (
            "provider = \"human\"\nprice = { input = 1, output = \"dear\" }",
            "`output`: \"dear\" is no price",
            "write USD per million tokens: `output = 1.25` or `output = \"1.25 USD\"`",
        ),
        (
            "provider = \"human\"\nprice = { input = 1, output = -1 }",
            "`output` must be a number, 0 or more",
            "",
        ),
        (
            "provider = \"human\"\nprice = { input = 1, ouput = 1, output = 1 }",
            "unknown key `ouput`",
            "did you mean `output`?",
        ),
    ] {
        let text = error(&format!("schema = 1\n[models.m]\n{model}\n"));
        assert!(
            text.starts_with(&format!("error: {message}\n --> lacuna.toml:")),
            "{model}: {text}"
        );
        assert_eq!(
            messages(&format!("schema = 1\n[models.m]\n{model}\n")).len(),
            1,
            "{text}"
        );
        let told = text
            .split_once("hint: ")
            .map_or("", |(_, hint)| hint.trim_end());
        assert_eq!(told, hint, "{model}");
    }
}

#[test]
fn what_a_model_may_have() {
    let manifest = parse(
        "schema = 1\n[models.a]\nprice = { input = \"1.25 USD\", output = \"5USD\" }\nmodel = \"x\"\nprovider = \"gemini\"\n\
         [models.b]\nprovider = \"human\"\n[models.c]\nprovider = \"ollama\"\nmodel = \"y\"\ntimeout = 0\ntemperature = 1\n",
    );
    let price = manifest.models["a"].price.unwrap();
    assert_eq!((price.input, price.output), (1.25, 5.0));
    assert_eq!(manifest.models["a"].timeout, Duration::from_secs(120));
    assert_eq!(manifest.models["b"].timeout, Duration::from_secs(3600));
    assert_eq!(manifest.models["c"].timeout, Duration::ZERO);
    assert_eq!(manifest.models["c"].temperature, Some(1.0));
}

#[test]
fn what_stands_twice_has_both_places() {
    let model = "provider = \"human\"\n";
    assert_eq!(
        error(&format!(
            "schema = 1\n\n[models.fast]\n{model}[models.slow]\n{model}[ models.fast ] # again\n{model}"
        )),
        "error: `[models.fast]` stands twice\n --> lacuna.toml:7:10\n  |\n7 | [ models.fast ] # again\n  |          ^^^^\n\n\
         hint: it stands at lacuna.toml:3 already; give one of the two models another name\n"
    );
    for (text, hint) in [
        (
            "schema = 1\n[budget]\nusd = 1\nusd = 2\n",
            "it stands at lacuna.toml:3 already",
        ),
        (
            "schema = 1\n[models]\nfast = { provider = \"human\" }\n# fast = 1\nfast = { provider = \"human\" }\n",
            "it stands at lacuna.toml:3 already",
        ),
        (
            "schema = 1\n[budget]\n[budget]\n",
            "it stands at lacuna.toml:2 already",
        ),
    ] {
        let text = error(text);
        assert!(text.ends_with(&format!("hint: {hint}\n")), "{text}");
    }
    // What only looks like it in another table is not the first place.
    let text = error("schema = 1\n[limits]\nwall = 0\n[budget]\nwall = 0\nusd = 1\nwall = 0\n");
    assert!(
        text.ends_with("hint: it stands at lacuna.toml:5 already\n"),
        "{text}"
    );
}

#[test]
fn the_schema_is_required() {
    assert_eq!(messages("entry = \"a\""), ["`schema` is missing"]);
    assert_eq!(messages(""), ["`schema` is missing"]);
    assert_eq!(messages("schema = 2"), ["this schema is not known"]);
}

#[test]
fn all_errors_are_shown_in_the_order_of_the_text() {
    assert_eq!(
        messages("schema = 1\nfoo = 1\n[budget]\nbar = 2\n[limits]\nbaz = 3\n"),
        [
            "unknown key `foo`",
            "unknown key `bar`",
            "unknown limit `baz`"
        ]
    );
}

#[test]
fn broken_toml_has_its_line() {
    let text = error("schema = 1\nschema = 1\n");
    assert!(
        text.starts_with("error: duplicate key\n --> lacuna.toml:2:1\n"),
        "{text}"
    );
    let text = error("schema = \n");
    assert!(text.contains("--> lacuna.toml:1:"), "{text}");
    error(&"[".repeat(100_000));
    error(&format!("a = {}", "[".repeat(100_000)));
}
