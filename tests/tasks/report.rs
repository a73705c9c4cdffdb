//! Verdicts as lines of text, and the tables that are counted from them.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use lacuna::diagnostic::Cause;

/// What came of the recorded answers of one task: a line of `verdicts.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) task: String,
    /// From the first attempt on; each judged on its own.
    pub(crate) answers: Vec<Answered>,
}

/// The verdict on one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    Accepted {
        /// Fixes of the compiler that were applied first.
        fixes: usize,
        value: Value,
    },
    Rejected {
        stage: String,
        /// Of the first error; `-` if it has none.
        code: String,
        cause: String,
        fixes: usize,
    },
}

/// What an accepted answer returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Right,
    Wrong,
    /// A panic, or another trap.
    Trap,
    /// A limit was met.
    Limit,
}

impl Value {
    const ALL: [(Self, &str); 4] = [
        (Self::Right, "right"),
        (Self::Wrong, "wrong"),
        (Self::Trap, "trap"),
        (Self::Limit, "limit"),
    ];

    /// A call that failed.
    pub(crate) fn of_failure(outcome: &str) -> Self {
        if outcome == "limit" {
            Self::Limit
        } else {
            Self::Trap
        }
    }

    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(value, _)| *value == self);
        found.map_or("", |(_, name)| name)
    }
}

impl Answered {
    fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted { .. })
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted { fixes, value } => {
                write!(f, "accepted fixes={fixes} {}", value.name())
            }
            Self::Rejected {
                stage,
                code,
                cause,
                fixes,
            } => write!(f, "rejected fixes={fixes} {stage} {code} {cause}"),
        }
    }
}

impl FromStr for Answered {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("no verdict: `{text}`");
        let words: Vec<&str> = text.split(' ').collect();
        let fixes = |word: &str| {
            word.strip_prefix("fixes=")
                .and_then(|count| count.parse().ok())
        };
        match words[..] {
            ["accepted", count, value] => Ok(Self::Accepted {
                fixes: fixes(count).ok_or_else(wrong)?,
                value: (Value::ALL.iter().find(|(_, name)| *name == value))
                    .map(|(value, _)| *value)
                    .ok_or_else(wrong)?,
            }),
            ["rejected", count, stage, code, cause] => Ok(Self::Rejected {
                stage: stage.to_owned(),
                code: code.to_owned(),
                cause: cause.to_owned(),
                fixes: fixes(count).ok_or_else(wrong)?,
            }),
            _ => Err(wrong()),
        }
    }
}

/// The text of `verdicts.txt`. Tasks without an answer have no line.
pub(crate) fn write(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines.iter().filter(|line| !line.answers.is_empty()) {
        text.push_str(&line.task);
        for answer in &line.answers {
            let _ = write!(text, " | {answer}");
        }
        text.push('\n');
    }
    text
}

/// Reads what [`write`] gives.
pub(crate) fn read(text: &str) -> Result<Vec<Line>, String> {
    let line = |line: &str| {
        let mut parts = line.split(" | ");
        let task = parts.next().unwrap_or_default().to_owned();
        let answers = parts.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Line { task, answers })
    };
    text.lines().map(line).collect()
}

/// The figures of a set.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    tasks: usize,
    first_try: usize,
    fixed: usize,
    right: usize,
    /// Accepted after one retry, after two, after more.
    later: [usize; 3],
    never: usize,
    /// First answers that were rejected, by cause.
    causes: [usize; Cause::ALL.len()],
}

impl Counts {
    fn of(lines: &[Line]) -> Self {
        let mut counts = Self::default();
        for answers in lines.iter().map(|line| &line.answers) {
            let Some(first) = answers.first() else {
                continue;
            };
            counts.tasks += 1;
            if let Answered::Rejected { cause, .. } = first {
                let index = Cause::ALL.iter().position(|known| known.name() == cause);
                counts.causes[index.unwrap_or(Cause::ALL.len() - 1)] += 1;
            }
            let accepted = answers.iter().position(Answered::is_accepted);
            match accepted {
                None => counts.never += 1,
                Some(0) => counts.first_try += 1,
                Some(retries) => counts.later[retries.min(3) - 1] += 1,
            }
            if let Some(Answered::Accepted { fixes, value }) = accepted.map(|at| &answers[at]) {
                counts.fixed += usize::from(accepted == Some(0) && *fixes > 0);
                counts.right += usize::from(*value == Value::Right);
            }
        }
        counts
    }
}

/// The two tables of a set: what came of its tasks, and why first answers were rejected; each as it was when the answers
/// were collected, and as it is now.
pub(crate) fn tables(set: &str, collected: Option<&[Line]>, now: &[Line]) -> String {
    let now = Counts::of(now);
    if now.tasks == 0 {
        return format!("The {set} set has no answers yet.\n");
    }
    let collected = collected.map(Counts::of);
    let mut text = format!("| {set} set | when collected | now |\n|---|--:|--:|\n");
    let mut row = |title: &str, count: &dyn Fn(&Counts) -> usize, share: bool| {
        let cell = |counts: &Counts| {
            let value = count(counts);
            if share && counts.tasks > 0 {
                let percent = value as f64 * 100.0 / counts.tasks as f64;
                format!("{value} ({percent:.1} %)")
            } else {
                value.to_string()
            }
        };
        let before = collected.as_ref().map_or_else(|| "–".to_owned(), cell);
        let _ = writeln!(text, "| {title} | {before} | {} |", cell(&now));
    };
    row("tasks", &|counts| counts.tasks, false);
    row(
        "accepted at the first try",
        &|counts| counts.first_try,
        true,
    );
    row(
        "… of them after a fix of the compiler",
        &|counts| counts.fixed,
        false,
    );
    row("accepted after one retry", &|counts| counts.later[0], false);
    row("accepted after two", &|counts| counts.later[1], false);
    if now.later[2] + collected.as_ref().map_or(0, |counts| counts.later[2]) > 0 {
        row("accepted after more", &|counts| counts.later[2], false);
    }
    row("never accepted", &|counts| counts.never, false);
    row(
        "right value of the first accepted answer",
        &|counts| counts.right,
        true,
    );
    let _ = write!(
        text,
        "\n| {set} set: first answers rejected | when collected | now |\n|---|--:|--:|\n"
    );
    let all = |counts: &Counts| counts.causes.iter().sum::<usize>().to_string();
    for (title, cause) in CAUSES {
        let at = Cause::ALL
            .iter()
            .position(|known| *known == cause)
            .unwrap_or_default();
        let before = (collected.as_ref())
            .map_or_else(|| "–".to_owned(), |counts| counts.causes[at].to_string());
        let _ = writeln!(text, "| {title} | {before} | {} |", now.causes[at]);
    }
    let before = collected.as_ref().map_or_else(|| "–".to_owned(), all);
    let _ = writeln!(text, "| all | {before} | {} |", all(&now));
    text
}

/// Causes in the order in which they are shown.
const CAUSES: [(&str, Cause); Cause::ALL.len()] = [
    ("outside the scope", Cause::OutsideScope),
    ("type", Cause::Type),
    ("ownership", Cause::Ownership),
    ("syntax", Cause::Syntax),
    ("limit", Cause::Limit),
    ("other", Cause::Other),
    ("no code", Cause::NoCode),
];

/// Counting is tried on verdicts that are made up: each figure has one line that only it counts.
pub(crate) fn counts_are_right() -> Result<(), String> {
    let text = "a | accepted fixes=0 right\n\
                b | accepted fixes=2 wrong\n\
                c | rejected fixes=1 compile E0308 type | accepted fixes=1 right\n\
                d | rejected fixes=0 compile - syntax | rejected fixes=0 compile E0382 ownership | accepted fixes=0 trap\n\
                e | rejected fixes=0 snippet lacuna::no-code no-code\n\
                f | rejected fixes=0 compile E0425 outside-scope | accepted fixes=0 limit\n";
    let lines = read(text)?;
    if write(&lines) != text {
        return Err(format!("written as\n{}", write(&lines)));
    }
    let mut causes = [0; Cause::ALL.len()];
    for cause in [
        Cause::Type,
        Cause::Syntax,
        Cause::NoCode,
        Cause::OutsideScope,
    ] {
        causes[Cause::ALL
            .iter()
            .position(|known| *known == cause)
            .unwrap_or_default()] = 1;
    }
    let expected = Counts {
        tasks: 6,
        first_try: 2,
        fixed: 1,
        right: 2,
        later: [2, 1, 0],
        never: 1,
        causes,
    };
    let counts = Counts::of(&lines);
    if counts != expected {
        return Err(format!("counted {counts:?}"));
    }
    for wrong in [
        "a | accepted",
        "a | rejected fixes=x compile - type",
        "a | accepted fixes=0 good",
    ] {
        if read(wrong).is_ok() {
            return Err(format!("read `{wrong}`"));
        }
    }
    Ok(())
}
