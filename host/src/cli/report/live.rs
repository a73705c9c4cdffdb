//! Lines that show what is under way and vanish when it is done: one for each hole, drawn again and again below the
//! lines that stay.
//!
//! They are shorter than the terminal is wide, so that none ever wraps, and the cursor is never hidden, so that there is
//! nothing to restore when the process is killed.
#![expect(clippy::disallowed_methods, reason = "this is where the binary prints")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{
    MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike,
};

use crate::session::Progress;
use crate::trace::figures;

/// How often a line is drawn again for its clock.
const TICK: Duration = Duration::from_millis(100);

/// Most draws a second.
const RATE: u8 = 20;

/// Longest line, in columns, however wide the terminal is: a longer one is wrapped when the terminal is made narrower.
const LONGEST: usize = 78;

/// Columns of a terminal that does not say how many it has.
const USUAL: u16 = 80;

/// Whether a model is a person at this very terminal, where nothing may move meanwhile.
pub(super) fn is_human(model: &str) -> bool {
    model.split(':').next() == Some("human")
}

/// The columns of a terminal; `None` when it is none.
pub(super) fn width(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(usize::from(if size.ws_col == 0 {
        USUAL
    } else {
        size.ws_col
    }))
}

/// All lines.
pub(super) struct Live {
    bars: MultiProgress,
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    closed: bool,
    by_path: BTreeMap<String, Line>,
}

struct Line {
    bar: ProgressBar,
    state: Arc<Mutex<State>>,
}

/// What a line says.
#[derive(Clone, Debug)]
struct State {
    path: String,
    /// Which attempt of how many.
    attempt: Option<(u32, u32)>,
    stage: &'static str,
    /// Since when.
    since: Instant,
    /// Bytes of the answer that is coming in.
    bytes: u64,
    /// Tokens so far, of all attempts.
    tokens: u64,
}

impl Live {
    pub(super) fn new() -> Self {
        let screen = ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), RATE);
        Self {
            bars: MultiProgress::with_draw_target(screen),
            lines: Mutex::default(),
        }
    }

    /// Runs `write`, which writes whole lines to the terminal, above the lines that move.
    pub(super) fn above(&self, write: impl FnOnce()) {
        self.bars.suspend(write);
    }

    /// Takes all lines away for good.
    pub(super) fn close(&self) {
        let lines = {
            let mut lines = lock(&self.lines);
            lines.closed = true;
            std::mem::take(&mut lines.by_path)
        };
        for line in lines.into_values() {
            self.take_away(&line);
        }
    }

    /// Shows what is under way after an event.
    pub(super) fn event(&self, event: &Progress<'_>) {
        match *event {
            Progress::Preparing { .. } => self.show("lacuna", "preparing", |_| {}),
            Progress::Binding { path } => {
                self.remove("lacuna");
                self.show(path, "compiling bindings", |_| {});
            }
            Progress::Asking { path, model, .. } if is_human(model) => self.remove(path),
            Progress::Asking {
                path, attempt, of, ..
            } => self.show(path, "asking", |state| {
                state.attempt = Some((attempt, of));
                state.bytes = 0;
            }),
            Progress::Receiving { path, bytes, .. } => {
                self.show(path, "receiving", |state| state.bytes = bytes);
            }
            Progress::Answered { path, usage, .. } => self.show(path, "judging", |state| {
                state.bytes = 0;
                if !usage.estimated {
                    state.tokens = state.tokens.saturating_add(usage.total());
                }
            }),
            Progress::Judging { path, .. } => self.show(path, "judging", |_| {}),
            Progress::Calling { path, .. } => self.show(path, "running", |_| {}),
            // It is made into machine code.
            Progress::Accepted { path, .. } => self.show(path, "loading", |_| {}),
            Progress::Returned { path, .. } | Progress::Ended { path } => self.remove(path),
            Progress::Rejected { .. }
            | Progress::Unanswered { .. }
            | Progress::Note { .. }
            | Progress::Text { .. }
            | Progress::Log { .. } => {}
        }
    }

    /// Sets the line of a hole; its clock starts again when the stage is a new one.
    fn show(&self, path: &str, stage: &'static str, change: impl FnOnce(&mut State)) {
        let (bar, fresh) = {
            let mut lines = lock(&self.lines);
            if lines.closed {
                return;
            }
            let fresh = !lines.by_path.contains_key(path);
            let line = lines
                .by_path
                .entry(path.to_owned())
                .or_insert_with(|| Line::new(path, stage));
            let mut state = lock(&line.state);
            if state.stage != stage {
                state.stage = stage;
                state.since = Instant::now();
            }
            change(&mut state);
            (line.bar.clone(), fresh)
        };
        // Without any lock of ours: drawing asks for the state.
        if fresh {
            self.bars.add(bar.clone());
            bar.enable_steady_tick(TICK);
        }
        bar.tick();
    }

    fn remove(&self, path: &str) {
        let line = lock(&self.lines).by_path.remove(path);
        if let Some(line) = line {
            self.take_away(&line);
        }
    }

    fn take_away(&self, line: &Line) {
        line.bar.finish_and_clear();
        self.bars.remove(&line.bar);
    }
}

impl Line {
    fn new(path: &str, stage: &'static str) -> Self {
        let state = Arc::new(Mutex::new(State {
            path: path.to_owned(),
            attempt: None,
            stage,
            since: Instant::now(),
            bytes: 0,
            tokens: 0,
        }));
        let shown = Arc::clone(&state);
        let style = ProgressStyle::with_template("{line}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner())
            .with_key(
                "line",
                move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let state = lock(&shown).clone();
                    let columns = width(io::stderr()).unwrap_or(usize::from(USUAL));
                    // One column is left free: a full line makes some terminals wrap.
                    let most = columns.saturating_sub(1).min(LONGEST);
                    let _ = out.write_str(&state.text(state.since.elapsed(), most));
                },
            );
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self {
            bar: bar.with_style(style),
            state,
        }
    }
}

impl State {
    /// The line in at most `most` columns. The name is what gives way first: it is known.
    fn text(&self, elapsed: Duration, most: usize) -> String {
        let mut rest = String::new();
        if let Some((attempt, of)) = self.attempt {
            let _ = write!(rest, " {attempt}/{of}");
        }
        let seconds = elapsed.as_secs_f64();
        let _ = match seconds < 60.0 {
            true => write!(rest, " {} {seconds:.1} s", self.stage),
            false => write!(
                rest,
                " {} {} min {} s",
                self.stage,
                seconds as u64 / 60,
                seconds as u64 % 60
            ),
        };
        if self.bytes > 0 {
            let _ = write!(rest, ", {}", figures::size(self.bytes));
        }
        if self.tokens > 0 {
            let _ = write!(rest, ", {}", figures::count(self.tokens, "token"));
        }
        let room = most.saturating_sub(rest.chars().count()).max(8);
        let line = figures::short(&self.path, room) + &rest;
        figures::cut(&line, most).into_owned()
    }
}

/// stderr, for indicatif. Where it would move the cursor line by line, everything that was drawn is erased at once.
#[derive(Debug, Default)]
struct Screen {
    drawn: Mutex<Drawn>,
}

#[derive(Debug, Default)]
struct Drawn {
    /// Lines of the next picture.
    next: Vec<String>,
    /// Columns of each line on the screen.
    shown: Vec<usize>,
}

impl Drawn {
    /// What erases the last picture and draws the next one on a terminal with this many columns now.
    fn paint(&mut self, columns: usize) -> String {
        let mut text = String::new();
        if !self.shown.is_empty() {
            // A terminal that was made narrower has wrapped what was there.
            let rows = self
                .shown
                .iter()
                .map(|line| line.div_ceil(columns.max(1)).max(1));
            let up = rows.sum::<usize>() - 1;
            if up > 0 {
                let _ = write!(text, "\x1b[{up}A");
            }
            text += "\r\x1b[J";
        }
        let next = std::mem::take(&mut self.next);
        text += &next.join("\n");
        self.shown = next.iter().map(|line| line.chars().count()).collect();
        text
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        let columns = width(io::stderr()).and_then(|columns| u16::try_from(columns).ok());
        columns.unwrap_or(USUAL)
    }

    fn height(&self) -> u16 {
        let size = rustix::termios::tcgetwinsize(io::stderr());
        size.map_or(0, |size| size.ws_row).max(2)
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.write_str(line)
    }

    /// indicatif fills lines with blanks up to the terminal's width, which is its way of ending them.
    fn write_str(&self, line: &str) -> io::Result<()> {
        if !line.trim().is_empty() {
            lock(&self.drawn).next.push(line.to_owned());
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    /// A terminal that has gone away is no reason to fail: the work goes on.
    fn flush(&self) -> io::Result<()> {
        let text = lock(&self.drawn).paint(usize::from(self.width()));
        let mut out = io::stderr().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            path: "summarise-documents".to_owned(),
            attempt: Some((2, 3)),
            stage: "receiving",
            since: Instant::now(),
            bytes: 3400,
            tokens: 1200,
        }
    }

    #[test]
    fn a_line_fits_its_terminal() {
        let line = |most| state().text(Duration::from_millis(1250), most);
        assert_eq!(
            line(78),
            "summarise-documents 2/3 receiving 1.2 s, 3.3 KiB, 1200 tokens"
        );
        assert_eq!(
            line(50),
            "summari… 2/3 receiving 1.2 s, 3.3 KiB, 1200 tokens"
        );
        assert_eq!(line(39), "summari… 2/3 receiving 1.2 s, 3.3 KiB,…");
        for most in 0..80 {
            assert!(line(most).chars().count() <= most, "{most}: {}", line(most));
        }
        let minutes = state().text(Duration::from_secs(125), 78);
        assert!(minutes.contains("receiving 2 min 5 s"), "{minutes}");
    }

    #[test]
    fn a_picture_replaces_the_one_before() {
        let mut drawn = Drawn::default();
        assert_eq!(drawn.paint(80), "");
        drawn.next = vec!["a".to_owned(), "b".repeat(50)];
        assert_eq!(drawn.paint(80), format!("a\n{}", "b".repeat(50)));
        drawn.next = vec!["c".to_owned()];
        assert_eq!(drawn.paint(80), "\x1b[1A\r\x1b[Jc");
        assert_eq!(drawn.paint(80), "\r\x1b[J");
        assert_eq!(drawn.paint(80), "");
        drawn.next = vec!["d".repeat(50)];
        drawn.paint(80);
        assert_eq!(drawn.paint(40), "\x1b[1A\r\x1b[J", "it was wrapped");
    }
}
