//! Code blocks of an answer. Models write Markdown of every dialect; this reads what CommonMark calls a fence, and the
//! usual slips.

use super::lex;

/// One code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) language: Language,
    /// The first word of the info string, in lower case.
    pub(super) word: String,
    pub(super) text: String,
    /// Whether the closing fence was found.
    pub(super) closed: bool,
}

/// What the info string says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Language {
    /// Another language: `toml`, `text`, `wit`.
    Other,
    /// Nothing.
    Unnamed,
    /// Rust.
    Rust,
}

/// Most blocks that are looked at; an answer with more is not an answer.
const MOST_BLOCKS: usize = 64;
/// Most fences that are tried as the end of a block whose text goes on in a string.
const MOST_TRIES: usize = 8;
/// Bytes of a block up to which those tries are made, so that a hostile answer costs no quadratic time.
const MOST_TRIED_BYTES: usize = 256 * 1024;

/// The fenced blocks of `answer`, whose lines end in `\n`.
pub(super) fn blocks(answer: &str) -> Vec<Block> {
    let lines: Vec<&str> = answer.split('\n').collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() && blocks.len() < MOST_BLOCKS {
        let Some(fence) = opening(lines[at]) else {
            at += 1;
            continue;
        };
        let (block, next) = read(&lines, at + 1, &fence);
        at = next;
        if matches!(fence.word.as_str(), "markdown" | "md") {
            blocks.extend(self::blocks(&block.text));
        } else {
            blocks.push(block);
        }
    }
    if blocks.is_empty() {
        blocks.extend(inline(answer));
    }
    blocks
}

/// Whether some line of `text` opens a fence.
pub(super) fn has_fence(text: &str) -> bool {
    text.split('\n').any(|line| opening(line).is_some())
}

struct Fence {
    mark: char,
    length: usize,
    /// White space before the fence, which is taken off the lines of the block.
    indent: usize,
    /// Whether the block stands in a quotation (`> `).
    quoted: bool,
    language: Language,
    word: String,
    /// Code behind the language in the line of the fence.
    head: Option<String>,
}

/// How code begins that stands in the line of its fence.
const STARTS: [&str; 10] = [
    "pub ", "fn ", "use ", "let ", "struct ", "enum ", "impl ", "const ", "static ", "#[",
];

fn opening(line: &str) -> Option<Fence> {
    let mut rest = line;
    let quoted = rest.trim_start().starts_with('>');
    if quoted {
        rest = unquote(rest);
    }
    let mut content = rest.trim_start();
    // A fence may start a list item: `- ```rust`, `2. ```rust`.
    for marker in ["- ", "* ", "+ "] {
        if let Some(item) = content.strip_prefix(marker) {
            content = item.trim_start();
        }
    }
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < content.len()
        && let Some(item) = digits.strip_prefix(". ").or(digits.strip_prefix(") "))
    {
        content = item.trim_start();
    }
    let mark = content.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = content.trim_start_matches(mark);
    let length = content.len() - info.len();
    if length < 3 || (mark == '`' && info.contains('`')) {
        return None;
    }
    let word = info
        .trim()
        .trim_start_matches(['{', '.'])
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    let language = match word.as_str() {
        "" => Language::Unnamed,
        // How documentation marks what is shown because it is wrong.
        "rust" | "rs"
            if ["compile_fail", "should_panic"]
                .iter()
                .any(|mark| info.contains(mark)) =>
        {
            Language::Other
        }
        "rust" | "rs" | "rust2024" | "rust-lang" | "rustlang" => Language::Rust,
        _ => Language::Other,
    };
    let behind = info
        .trim()
        .split_once(char::is_whitespace)
        .map(|(_, code)| code.trim());
    let head = behind
        .filter(|code| {
            language == Language::Rust && STARTS.iter().any(|start| code.starts_with(start))
        })
        .map(str::to_owned);
    Some(Fence {
        head,
        mark,
        length,
        indent: rest.len() - content.len(),
        quoted,
        language,
        word,
    })
}

fn unquote(line: &str) -> &str {
    let inner = line.trim_start();
    let inner = inner.strip_prefix('>').unwrap_or(line);
    inner.strip_prefix(' ').unwrap_or(inner)
}

fn is_closing(line: &str, fence: &Fence) -> bool {
    let line = if fence.quoted { unquote(line) } else { line }.trim();
    let length = line.len() - line.trim_start_matches(fence.mark).len();
    length >= fence.length && length == line.len()
}

/// The block whose first line is `first`, and the line behind its end.
fn read(lines: &[&str], first: usize, fence: &Fence) -> (Block, usize) {
    let mut ends = (first..lines.len()).filter(|at| is_closing(lines[*at], fence));
    let head = fence
        .head
        .as_ref()
        .map(|head| format!("{head}\n"))
        .unwrap_or_default();
    let text = |end: usize| head.clone() + &content(&lines[first..end], fence);
    let block = |end: usize, closed| Block {
        language: fence.language,
        word: fence.word.clone(),
        text: text(end),
        closed,
    };
    let regular = ends.next();
    if let Some((last, code)) = glued_end(lines, first, regular.unwrap_or(lines.len()), fence) {
        let mut text = text(last);
        text.push_str(&content(&[code], fence));
        let block = Block {
            text,
            ..block(last, true)
        };
        return (block, last + 1);
    }
    let Some(end) = regular else {
        // A block that is never closed may be by the marks of the other kind.
        if let Some(end) = (first..lines.len()).find(|at| is_other_fence(lines[*at], fence)) {
            return (block(end, true), end + 1);
        }
        // A text that ends in a line feed has an empty last line, which is none.
        let last =
            lines.len() - usize::from(lines.len() > first && lines[lines.len() - 1].is_empty());
        return (block(last, false), lines.len());
    };
    // A fence inside a string of the code (a program that writes Markdown) does not end the block.
    if fence.language != Language::Other && lex::ends_inside_literal(&text(end)) {
        for later in ends.take(MOST_TRIES) {
            let longer = text(later);
            if longer.len() > MOST_TRIED_BYTES {
                break;
            }
            if !lex::ends_inside_literal(&longer) {
                return (block(later, true), later + 1);
            }
        }
    }
    (block(end, true), end + 1)
}

/// A line of code with the closing fence at its end (`` }``` ``), and the code in it. Only where the text is balanced up
/// to there, so that no doc comment and no string ends a block.
fn glued_end<'a>(
    lines: &[&'a str],
    first: usize,
    end: usize,
    fence: &Fence,
) -> Option<(usize, &'a str)> {
    if fence.language == Language::Other {
        return None;
    }
    let glued = |at: usize| {
        let line = lines[at].trim_end();
        let code = line.trim_end_matches(fence.mark);
        let ends = line.len() - code.len() >= fence.length && code.ends_with(['}', ';']);
        (ends && !code.trim_start().starts_with("//")).then_some((at, code))
    };
    (first..end)
        .filter_map(glued)
        .take(MOST_TRIES)
        .find(|(at, code)| {
            let text = content(&lines[first..*at], fence) + code;
            text.len() <= MOST_TRIED_BYTES && lex::fault(&text).is_none()
        })
}

/// Whether a line is a fence of the other mark and nothing else.
fn is_other_fence(line: &str, fence: &Fence) -> bool {
    let line = line.trim();
    let other = if fence.mark == '`' { '~' } else { '`' };
    line.len() >= 3 && line.chars().all(|character| character == other)
}

fn content(lines: &[&str], fence: &Fence) -> String {
    let mut text = String::new();
    for line in lines {
        let line = if fence.quoted { unquote(line) } else { line };
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        text.push_str(&line[blank.min(fence.indent)..]);
        text.push('\n');
    }
    // A byte order mark stands at the head of a file that was pasted.
    text.strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text)
}

/// Code between backticks inside a line: the whole answer, or three backticks that open and close in one line.
fn inline(answer: &str) -> Option<Block> {
    let trimmed = answer.trim();
    let (language, text) = if let Some(start) = trimmed.find("```") {
        let inner = &trimmed[start + 3..];
        let inner = &inner[..inner.find("```")?];
        match inner
            .strip_prefix("rust")
            .or(inner.strip_prefix("rs"))
            .filter(|rest| rest.starts_with(char::is_whitespace))
        {
            Some(rest) => (Language::Rust, rest),
            None => (Language::Unnamed, inner),
        }
    } else {
        let inner = trimmed.strip_prefix('`')?.strip_suffix('`')?;
        (Language::Unnamed, inner)
    };
    (!text.contains('`')).then(|| Block {
        language,
        word: String::new(),
        text: text.trim().to_owned(),
        closed: true,
    })
}
