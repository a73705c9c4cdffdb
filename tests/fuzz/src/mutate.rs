//! Changes of source text. Some keep what the text means and only hide it; others care for nothing.

use crate::escapes::{Escape, Kind};
use crate::random::Random;

/// Splits text into words, literals, comments, blanks and single characters; joined they are the text again.
pub fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let end = end_of_token(&letters, at).max(at + 1).min(letters.len());
        all.push(letters[at..end].iter().collect());
        at = end;
    }
    all
}

fn end_of_token(letters: &[char], at: usize) -> usize {
    let run = |from: usize, is: fn(char) -> bool| {
        from + letters[from..]
            .iter()
            .take_while(|letter| is(**letter))
            .count()
    };
    match (letters[at], letters.get(at + 1)) {
        (letter, _) if letter.is_whitespace() => run(at, char::is_whitespace),
        ('/', Some('/')) => run(at, |letter| letter != '\n'),
        ('/', Some('*')) => {
            let close = letters[at + 2..]
                .windows(2)
                .position(|pair| pair == ['*', '/']);
            close.map_or(letters.len(), |close| at + 2 + close + 2)
        }
        ('"', _) => string_end(letters, at + 1),
        (letter, _) if letter.is_alphanumeric() || letter == '_' => {
            run(at, |letter| letter.is_alphanumeric() || letter == '_')
        }
        _ => at + 1,
    }
}

fn string_end(letters: &[char], mut at: usize) -> usize {
    while at < letters.len() {
        match letters[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    letters.len()
}

/// Changes some tokens without care: what comes of it may be anything.
pub fn scramble(text: &str, other: &str, random: &mut Random) -> String {
    let mut all = tokens(text);
    let foreign = tokens(other);
    for _ in 0..random.between(1, 4) {
        if all.is_empty() {
            break;
        }
        let at = random.between(0, all.len() - 1);
        match random.between(0, 8) {
            0 => {
                all.remove(at);
            }
            1 => {
                let copy = all[at].clone();
                all.insert(at, copy);
            }
            2 => {
                let with = random.between(0, all.len() - 1);
                all.swap(at, with);
            }
            3 | 4 if !foreign.is_empty() => {
                let from = random.between(0, foreign.len() - 1);
                let to = (from + random.between(1, 12)).min(foreign.len());
                all.splice(at..at, foreign[from..to].iter().cloned());
            }
            5 => all[at] = (*random.pick(&DISTURBERS)).to_owned(),
            6 => all.insert(at, (*random.pick(&DISTURBERS)).to_owned()),
            7 => all.truncate(at.max(1)),
            _ => {
                let to = (at + random.between(1, 6)).min(all.len());
                all.drain(at..to);
            }
        }
    }
    all.concat()
}

/// Tokens that change what stands around them, and characters that must not be shown as they are.
const DISTURBERS: [&str; 42] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "#",
    "!",
    "r#\"",
    "\"#",
    "$",
    ";",
    "mod",
    "extern",
    "unsafe",
    "use",
    "#[path = \"/etc/passwd\"]",
    "#![allow(unsafe_code)]",
    "macro_rules!",
    "r#mod",
    "async",
    "impl",
    "'static",
    "::",
    "..=",
    "\\",
    "\u{202e}",
    "\u{200b}",
    "\u{feff}",
    "\u{1b}[31m",
    "\0",
    "\r",
    "\u{85}",
    "\u{e0041}",
    "b'\\xff'",
    "0xffff_ffff_ffff_ffff_ffff",
    "ｆｎ",
];

/// Puts an escape into a text that would be accepted without it, live: the result must be rejected.
pub fn plant(
    host: &str,
    escape: &Escape,
    path: &str,
    variable: &str,
    random: &mut Random,
) -> String {
    let text = escape.text.replace("{P}", path).replace("{V}", variable);
    if escape.kind == Kind::Whole {
        return text.replace("{ALL}", host);
    }
    let mut text = if random.chance(40) {
        respell(&text, random)
    } else {
        text
    };
    if escape.kind == Kind::Expression {
        text = wrap_expression(&text, random);
    }
    for _ in 0..random.between(0, 2) {
        text = wrap_items(&text, random);
    }
    if random.chance(50) {
        format!("{text}\n{host}")
    } else {
        format!("{host}\n{text}")
    }
}

/// An expression as an item that has to be compiled.
fn wrap_expression(text: &str, random: &mut Random) -> String {
    let name = format!("zz{}", random.between(10, 99));
    match random.between(0, 5) {
        0 => format!("fn {name}() {{ let _ = {text}; }}"),
        1 => format!("pub fn {name}() {{ let f = || {{ let _ = {text}; }}; f() }}"),
        2 => format!("struct S{name}; impl S{name} {{ fn go(&self) {{ {text}; }} }}"),
        3 => format!("trait T{name} {{ fn go(&self) {{ if true {{ let _x = {text}; }} }} }}"),
        4 => format!("fn {name}<T>(_: T) {{ loop {{ let _ = ({text}); break; }} }}"),
        _ => format!("const _: () = {{ fn {name}() {{ match {text} {{ _ => () }} }} }};"),
    }
}

/// The same items, further away from the top.
fn wrap_items(text: &str, random: &mut Random) -> String {
    let name = format!("yy{}", random.between(10, 99));
    match random.between(0, 5) {
        0 => format!("mod {name} {{ {text} }}"),
        1 => format!("fn {name}() {{ {text} }}"),
        2 => format!("macro_rules! {name} {{ ($($t:tt)*) => {{ $($t)* }} }} {name}! {{ {text} }}"),
        3 => format!("const _: () = {{ {text} }};"),
        4 => format!("#[allow(warnings)] pub mod {name} {{ pub mod inner {{ {text} }} }}"),
        _ => format!("/* }} */ {text} // {{"),
    }
}

/// The same tokens, spelt in another way.
fn respell(text: &str, random: &mut Random) -> String {
    let all = tokens(text);
    let mut out = String::new();
    for (at, token) in all.iter().enumerate() {
        let word = token
            .chars()
            .all(|letter| letter.is_alphabetic() || letter == '_')
            && token.len() > 2;
        let macro_variable = at > 0 && all[at - 1] == "$";
        let after_hash = at > 0 && all[at - 1] == "#";
        if word
            && !macro_variable
            && !after_hash
            && RAW.contains(&token.as_str())
            && random.chance(30)
        {
            out.push_str("r#");
        }
        out.push_str(token);
        let joins = matches!(
            token.as_str(),
            ":" | "#" | "$" | "=" | "!" | "-" | "b" | "r" | "'" | "&" | "@"
        );
        if !joins && !token.starts_with("//") && random.chance(8) {
            // Where tokens may stand apart, anything that is no token may stand between them.
            let next = all.get(at + 1).map(String::as_str);
            let breaks =
                matches!(next, Some("\"" | "#")) || next.is_some_and(|next| next.starts_with('"'));
            if !breaks {
                out.push_str(random.pick::<&str>(&[
                    " ",
                    "\n",
                    "/* } */",
                    "\t",
                    " // {\n",
                    "/* /* nested */ */",
                ]));
            }
        }
    }
    out
}

/// Names that may be written raw without a change of meaning.
const RAW: [&str; 22] = [
    "include_str",
    "include",
    "include_bytes",
    "env",
    "option_env",
    "fs",
    "read",
    "var",
    "std",
    "path",
    "debugger_visualizer",
    "no_mangle",
    "export_name",
    "link_section",
    "evil",
    "exists",
    "thread",
    "process",
    "net",
    "panic",
    "wit_bindgen",
    "global_asm",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        for text in [
            "",
            "fn f() { \"a\\\"b\" /* c */ 'x' } // end",
            "/*",
            "\"",
            "é\u{202e}x",
        ] {
            assert_eq!(tokens(text).concat(), text);
        }
    }
}
