//! Sizes, depths, and whatever else an answer may be.

use super::*;

#[test]
fn sizes_and_depths() {
    let scope = number();
    let n = 5000;
    for (deep, code) in [
        (
            format!("{}1{}", "(".repeat(n), ")".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("{}1{}", "{".repeat(n), "}".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("{}1{}", "[".repeat(n), "]".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (format!("{}true", "!".repeat(n)), "lacuna::compiler-limit"),
        (format!("{}1", "&".repeat(n)), "lacuna::compiler-limit"),
        (format!("1{}", " + 1".repeat(n)), "lacuna::compiler-limit"),
        (
            format!("x{}", ".clone()".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (format!("{}1", "|| ".repeat(n)), "lacuna::compiler-limit"),
        (
            format!("{}1", "return ".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("let x: {}u8{};", "Box<".repeat(n), ">".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("let x: {}u8{};", "Box<".repeat(200), ">".repeat(200)),
            "lacuna::compiler-limit",
        ),
        (
            format!("let x: {}", "A<B, ".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!(
                "let x: {}u8{};",
                "Box<dyn Fn(".repeat(800),
                ")>".repeat(800)
            ),
            "lacuna::compiler-limit",
        ),
        (
            format!("match x {{ {}1 => 1 }}", "1 | ".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("if a {{ }} {}", "else if a { } ".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("{}x{}", "match ".repeat(n), "{}".repeat(n)),
            "lacuna::compiler-limit",
        ),
        (
            format!("let x: {}u8 = 1;", "*const ".repeat(n)),
            "lacuna::compiler-limit",
        ),
        ("x".repeat(65 * 1024), "lacuna::compiler-limit"),
    ] {
        rejected(&deep, &scope, code, "help");
    }
    for fine in [
        format!("let mut n = 0u32; {} n", "n += 1;\n".repeat(3000)),
        format!("vec![{}].len() as u32", "1 + 2, ".repeat(500)),
        format!(
            "match s.len() {{ {} _ => 1 }}",
            (0..300)
                .map(|i| format!("{i} => {{ a.b().c() + 1 }}\n"))
                .collect::<String>()
        ),
        format!("{} 1", "if a < b { c(); }\n".repeat(300)),
        format!(
            "if a == 0 {{ 1 }} {} else {{ 2 }}",
            "else if a.b() == 1 { 3 }\n".repeat(100)
        ),
        format!("format!(\"\"{})", ", a < b".repeat(400)),
        format!("let x = \"a\".to_string(){};", " + \"b\"".repeat(300)),
        format!("{} 1", "fn f() -> u32 { 1 + 2 }\n".repeat(500)),
        format!("{}1{}", "(".repeat(100), ")".repeat(100)),
    ] {
        code_accepted(&fine);
    }
    let narrow = CompileLimits {
        nesting: 3,
        ..limits()
    };
    assert!(given("((1))", &scope, &narrow).is_ok());
    assert!(given("((((1))))", &scope, &narrow).is_err());
    let small = CompileLimits {
        snippet: 10,
        ..limits()
    };
    assert!(given("0123456789", &scope, &small).is_ok());
    assert!(given("01234567890", &scope, &small).is_err());
    let short = CompileLimits {
        answer: 10,
        ..limits()
    };
    assert!(extract("s.len() as u32", &scope, &short).is_err());
}

/// Whatever the tokens are: an answer or a rejection, never a panic, and in time.
#[test]
fn any_tokens_at_all() {
    const SOUP: [&str; 62] = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "::",
        ":",
        ";",
        ",",
        ".",
        "..",
        "=",
        "=>",
        "->",
        "!",
        "&",
        "*",
        "-",
        "|",
        "||",
        "+",
        "#",
        "$",
        "?",
        "'a",
        "'",
        "\"",
        "r#\"",
        "//",
        "/*",
        "*/",
        "\n",
        "```",
        "```rust\n",
        "~~~\n",
        "fn",
        "run",
        "mod",
        "impl",
        "GuestR",
        "for",
        "if",
        "else",
        "match",
        "let",
        "x",
        "1",
        "1.0e",
        "0x",
        "macro_rules!",
        "m!",
        "pub",
        "struct",
        "use",
        "\u{0}",
        "é",
        "\u{202e}",
        "---",
        "#![",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    let scopes = [
        number(),
        unit(),
        with(vec![export(Some("i"), &[("fn a()", false)], &["R"])]),
    ];
    for round in 0..400 {
        let length = if round % 40 == 0 {
            3000
        } else {
            random.usize(0..60)
        };
        let mut text = String::new();
        for _ in 0..length {
            text.push_str(SOUP[random.usize(0..SOUP.len())]);
            if random.bool() {
                text.push(' ');
            }
        }
        let scope = &scopes[round % 3];
        let _ = extract(&text, scope, &limits());
        let _ = given(&text, scope, &limits());
    }
    for word in SOUP {
        let start = std::time::Instant::now();
        let text = format!("{word} ").repeat(60 * 1024 / (word.len() + 1));
        let _ = given(&text, &scopes[0], &limits());
        let text = word.repeat(1024 * 1024 / word.len());
        let _ = extract(&text, &scopes[2], &limits());
        let took = start.elapsed();
        assert!(
            took < std::time::Duration::from_secs(5),
            "{word:?} took {took:?}"
        );
    }
}

#[test]
fn a_long_number_is_refused_before_anything_parses_it() {
    let scope = number();
    let started = std::time::Instant::now();
    for number in [
        "9".repeat(60_000),
        format!("0x{}", "f".repeat(60_000)),
        format!("{}.0", "9".repeat(60_000)),
    ] {
        rejected(
            &format!("#[cfg(any())] const N: u32 = {number}; s.len() as u32"),
            &scope,
            "lacuna::compiler-limit",
            "number is too long",
        );
    }
    // A minute, if it were parsed; the bound is for the kind of cost and not for the machine.
    assert!(started.elapsed().as_secs() < 20);
}
