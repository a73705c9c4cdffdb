mod random;
mod sizes;

use super::*;
use test_scope::{export, plain, with};

fn unit() -> Scope {
    plain("fn run()", false)
}

fn number() -> Scope {
    plain("fn run(s: String) -> u32", true)
}

fn limits() -> CompileLimits {
    CompileLimits::default()
}

#[track_caller]
fn accepted(answer: &str, scope: &Scope) -> Snippet {
    extract(answer, scope, &limits())
        .unwrap_or_else(|rejection| panic!("{}", rejection.diagnostics[0].rendered))
}

#[track_caller]
fn code_accepted(text: &str) {
    if let Err(rejection) = given(text, &number(), &limits()) {
        panic!("{text}\n{}", rejection.diagnostics[0].rendered);
    }
}

#[track_caller]
fn rejected(text: &str, scope: &Scope, code: &str, words: &str) -> Rejection {
    let rejection = given(text, scope, &limits()).expect_err(text);
    let first = &rejection.diagnostics[0];
    assert_eq!(first.code.as_deref(), Some(code), "{}", first.rendered);
    assert!(first.rendered.contains(words), "{}", first.rendered);
    rejection
}

const RUN: &str = "pub fn run(s: String) -> u32 {\n    s.len() as u32\n}\n";

#[test]
fn fences_of_every_kind() {
    for answer in [
        format!("```rust\n{RUN}```"),
        format!("Sure!\n\n```rust\n{RUN}```\nDone."),
        format!("```\n{RUN}```\n"),
        format!("~~~rust\n{RUN}~~~\n"),
        format!("````rust\n{RUN}````\n"),
        format!("```rs title=\"a\"\n{RUN}```\n"),
        format!("```Rust,ignore\n{RUN}```\n"),
        format!("```rust\n{RUN}"),
        format!("```rust\n{RUN}```").replace('\n', "\r\n"),
        format!("\u{feff}```rust\n{RUN}```"),
        format!(
            "1. ```rust\n{}   ```",
            RUN.lines().map(|l| format!("   {l}\n")).collect::<String>()
        ),
        format!(
            "  ```rust\n{}  ```",
            RUN.lines().map(|l| format!("  {l}\n")).collect::<String>()
        ),
        format!(
            "> ```rust\n{}> ```",
            RUN.lines().map(|l| format!("> {l}\n")).collect::<String>()
        ),
        format!("````markdown\n```rust\n{RUN}```\n````"),
        format!("<think>\n```rust\nfn run() {{}}\n```\n</think>\n```rust\n{RUN}```"),
        format!("```toml\n[dependencies]\n```\n```rust\n{RUN}```\n```text\nrun(1)\n```"),
        format!(
            "```rust\nlet n = run(\"a\".into());\n```\n```rust\n{RUN}```\n```rust\nassert_eq!(run(x), 3);\n```"
        ),
        RUN.to_owned(),
    ] {
        let snippet = accepted(&answer, &number());
        assert_eq!(snippet.text, RUN, "{answer}");
        assert_eq!(snippet.form, Form::Items);
    }
    let snippet = accepted(&format!("Here it is:\n\n{RUN}\nHope it helps."), &number());
    assert_eq!(snippet.text.trim(), RUN.trim());
}

#[test]
fn a_fence_inside_a_string_does_not_end_the_block() {
    let code = "pub fn run(s: String) -> u32 {\n    r#\"\n```\ncode\n```\n\"#.len() as u32\n}\n";
    assert_eq!(
        accepted(&format!("```rust\n{code}```\nok"), &number()).text,
        code
    );
    let documented = format!("/// ```\n/// x\n/// ```\n{RUN}");
    assert_eq!(accepted(&documented, &number()).text, documented);
}

#[test]
fn several_blocks_are_joined_only_when_needed() {
    let helper = "fn half(n: u32) -> u32 { n / 2 }\n";
    let main = "pub fn run(s: String) -> u32 { half(s.len() as u32) }\n";
    let answer =
        format!("```rust\n{helper}```\nand\n```rust\n{main}```\n```rust\nfn unused() {{}}\n```");
    assert_eq!(
        accepted(&answer, &number()).text,
        format!("{helper}\n{main}")
    );
    // The last of two versions.
    let answer = format!("```rust\n{RUN}```\nbetter:\n```rust\n{main}```\n```rust\n{helper}```");
    assert_eq!(
        accepted(&answer, &number()).text,
        format!("{main}\n{helper}")
    );
    let two = with(vec![export(
        None,
        &[("fn a() -> u32", true), ("fn b() -> u32", true)],
        &[],
    )]);
    let answer = "```rust\npub fn a() -> u32 { 1 }\n```\n```rust\npub fn b() -> u32 { 2 }\n```";
    assert_eq!(
        accepted(answer, &two).text,
        "pub fn a() -> u32 { 1 }\n\npub fn b() -> u32 { 2 }\n"
    );
}

#[test]
fn a_body_gets_the_header_of_the_function() {
    let snippet = accepted("```rust\nlet n = s.len();\nn as u32 // end\n```", &number());
    assert_eq!(snippet.form, Form::Body);
    let before = format!(
        "{}pub fn run(s: ::std::string::String) -> u32 {{\n",
        number().head()
    );
    assert_eq!(snippet.lines_before as usize, before.matches('\n').count());
    assert!(
        snippet.module.starts_with(&format!(
            "{before}let n = s.len();\nn as u32 // end\n\n}}\n"
        )),
        "{}",
        snippet.module
    );
    assert!(snippet.hash.starts_with("blake3:"));
    assert_eq!(
        accepted("`s.len() as u32`", &number()).text,
        "s.len() as u32"
    );
    assert_eq!(accepted("s.len() as u32", &number()).form, Form::Body);
    // A body with items, and one that is a macro call.
    assert_eq!(
        accepted("fn add(n: u32) -> u32 { n } add(2)", &number()).form,
        Form::Body
    );
    assert_eq!(accepted("panic!(\"{}\", s)", &number()).form, Form::Body);
    assert_eq!(given("", &unit(), &limits()).unwrap().form, Form::Body);
    assert_eq!(
        given("fn helper() {}", &unit(), &limits()).unwrap().form,
        Form::Body
    );
    assert_eq!(
        accepted("```rust\n// nothing to do\n```", &unit()).form,
        Form::Body
    );
}

#[test]
fn inner_docs_do_no_harm() {
    let text = format!("//! Solves it.\n{RUN}");
    let snippet = accepted(&format!("```rust\n{text}```"), &number());
    assert_eq!(snippet.text, text);
    assert!(snippet.module.contains("\n//  Solves it.\n"));
}

#[test]
fn nothing_found_is_said() {
    for (answer, message) in [
        ("", "empty"),
        ("  \n", "empty"),
        ("I am sorry, but I can't do that.", "no Rust code"),
        ("```toml\n[a]\nb = 1\n```", "none of them is Rust"),
        ("```text\nhello there\n```", "none of them is Rust"),
    ] {
        let rejection = extract(answer, &number(), &limits()).expect_err(answer);
        let first = &rejection.diagnostics[0];
        assert_eq!(first.code.as_deref(), Some("lacuna::no-code"));
        assert!(first.message.contains(message), "{}", first.message);
        assert!(first.rendered.contains("pub fn run(s: String) -> u32"));
    }
    let cut = extract(
        "```rust\npub fn run(s: String) -> u32 {\n    let x = (1 +",
        &number(),
        &limits(),
    )
    .unwrap_err();
    assert_eq!(
        cut.diagnostics[0].code.as_deref(),
        Some("lacuna::unclosed-fence")
    );
    assert_eq!(
        find("```rust\nfn run(\n", &number(), &limits()).as_deref(),
        Some("fn run(\n")
    );
}

#[test]
fn text_that_is_not_balanced_tokens() {
    let scope = number();
    rejected(
        "/* { */ 1 } fn extra() -> u32 { /* } */ 2",
        &scope,
        "lacuna::syntax",
        "unexpected closing delimiter: `}`",
    );
    rejected("1 } }", &scope, "lacuna::syntax", "snippet:1:3");
    rejected(
        "f(1]",
        &scope,
        "lacuna::syntax",
        "mismatched closing delimiter: `]`",
    );
    rejected(
        "\"abc",
        &scope,
        "lacuna::syntax",
        "unterminated double quote string",
    );
    rejected(
        "r#\"abc\"",
        &scope,
        "lacuna::syntax",
        "unterminated raw string",
    );
    rejected(
        "/* /* */ 1",
        &scope,
        "lacuna::syntax",
        "unterminated block comment",
    );
    rejected(
        "let c = '\\n; 1",
        &scope,
        "lacuna::syntax",
        "unterminated character literal",
    );
    rejected("1 \0 2", &scope, "lacuna::syntax", "unknown start of token");
    rejected(
        "let x =",
        &scope,
        "lacuna::syntax",
        "unexpected end of input",
    );
    // Other syntax errors are rustc's to explain.
    assert_eq!(
        given("let x = ; 1", &scope, &limits()).unwrap().form,
        Form::Body
    );
    assert_eq!(
        given("pub fn run(s: String) -> u32 { let = }", &scope, &limits())
            .unwrap()
            .form,
        Form::Items
    );
    for fine in [
        "r##\"a\"#b}\"##.len() as u32",
        "'}' as u32",
        "b'{' as u32",
        "'\\'' as u32 + '\"' as u32",
        "// }\n1",
        "fn f<'a>(x: &'a str) -> &'a str { x } 1",
        "\"}\\\"\".len() as u32",
        "let r#mod = 1; r#mod",
        "c\"{\".count_bytes() as u32",
        "1 /* } /* { */ */",
    ] {
        code_accepted(fine);
    }
}

#[test]
fn forbidden_tokens_have_a_place() {
    let scope = number();
    for (text, words) in [
        ("#[path=\"/etc/passwd\"] mod x; 1", "snippet:1:23"),
        ("mod a { mod b; } 1", "`mod` without a body"),
        (
            "macro_rules! m { ($m:tt $x:tt { $s:tt }) => { $m $x $s } } m!(mod foo { ; }); 1",
            "inside a macro",
        ),
        (
            "macro_rules! m { () => { mod x {} } } m!(); 1",
            "inside a macro",
        ),
        (
            "#[debugger_visualizer(gdb_script_file = \"/etc/passwd\")] mod x {} 1",
            "debugger_visualizer",
        ),
        (
            "#[r#debugger_visualizer(x)] mod x {} 1",
            "debugger_visualizer",
        ),
        (
            "#[macro_use] extern crate std; 1",
            "`extern crate` is not allowed",
        ),
        ("extern \"C\" { fn f(); } 1", "`extern` is not allowed"),
        ("m!(extern); 1", "`extern` is not allowed"),
        ("#![feature(x)] 1", "inner attributes"),
        ("fn f() { #![allow(x)] } 1", "inner attributes"),
        ("::bindings::fill!(); 1", "`bindings` is reserved"),
        ("use bindings as b; 1", "`bindings` is reserved"),
        ("lacuna_rt::x(); 1", "`lacuna_rt` is reserved"),
        ("__lacuna_fill_run(); 1", "is reserved"),
    ] {
        rejected(text, &scope, "lacuna::forbidden-token", words);
    }
    for fine in [
        "/// extern mod x;\nfn f() {} 1",
        "// mod x; extern\n1",
        "\"mod x; extern crate\".len() as u32",
        "mod inner { pub fn f() -> u32 { 1 } } inner::f()",
        "let bindings = 1; println!(\"{}\", bindings); bindings",
        "r#\"mod x;\"#.len() as u32",
        "#[test] fn t() { panic!() } #[cfg(test)] compile_error!(\"x\"); 1",
        "#[doc = \"mod x;\"] fn f() {} 1",
        "if !(true) { 1 } else { 2 }",
    ] {
        code_accepted(fine);
    }
}

#[test]
fn what_is_missing_is_named() {
    let scope = number();
    rejected(
        "fn helper() {}",
        &scope,
        "lacuna::no-function",
        "pub fn run(s: String) -> u32",
    );
    rejected(
        "fn main() { println!(\"x\"); }",
        &scope,
        "lacuna::no-function",
        "fn main",
    );
    rejected(
        "fn main() { println!(\"x\"); }",
        &unit(),
        "lacuna::no-function",
        "fn main",
    );
    rejected(
        "struct C; impl Guest for C { fn run(s: String) -> u32 { 1 } }",
        &scope,
        "lacuna::no-function",
        "plain function",
    );
    let two = with(vec![export(
        None,
        &[("fn a() -> u32", true), ("fn b() -> u32", true)],
        &[],
    )]);
    rejected("1 + 1", &two, "lacuna::no-function", "statements alone");
    assert_eq!(
        rejected(
            "pub fn a() -> u32 { 1 }",
            &two,
            "lacuna::no-function",
            "`b`"
        )
        .diagnostics
        .len(),
        1
    );
    let inside = with(vec![
        export(Some("i"), &[("fn a() -> u32", true)], &[]),
        export(Some("j"), &[("fn a() -> u32", true)], &[]),
    ]);
    rejected(
        "pub fn a() -> u32 { 1 }",
        &inside,
        "lacuna::no-function",
        "pub mod i",
    );
    given(
        "pub mod i { pub fn a() -> u32 { 1 } } pub mod j { pub use super::i::a; }",
        &inside,
        &limits(),
    )
    .unwrap();
}

#[test]
fn resources_are_found() {
    let scope = with(vec![export(None, &[], &["Roman"])]);
    let path = |text: &str| given(text, &scope, &limits()).unwrap().resources["GuestRoman"].clone();
    assert_eq!(path("struct It; impl GuestRoman for It {}"), "It");
    assert_eq!(
        path("mod a { pub struct It; impl super::GuestRoman for It {} }"),
        "a::It"
    );
    assert_eq!(
        path("pub struct It; mod a { impl super::GuestRoman for super::It {} }"),
        "It"
    );
    rejected(
        "struct It;",
        &scope,
        "lacuna::no-implementation",
        "pub trait GuestRoman",
    );
    rejected(
        "struct R<'a>(&'a str); impl<'a> GuestRoman for R<'a> {}",
        &scope,
        "lacuna::no-implementation",
        "lifetime",
    );
    rejected(
        "impl GuestRoman for A {} impl GuestRoman for B {}",
        &scope,
        "lacuna::several-implementations",
        "and here",
    );
    rejected(
        "struct It; impl GuestRoman for It { fn }",
        &scope,
        "lacuna::syntax",
        "expected",
    );
}
