//! What a terminal shows: enough of one to see whether a picture is whole. It knows the few sequences that the program may
//! send, and panics at any other.

/// A terminal without an end: lines are never lost at its top.
pub(crate) struct Screen {
    columns: usize,
    rows: Vec<Row>,
    row: usize,
    column: usize,
    /// The beginning of a sequence or a character whose rest has not come.
    rest: Vec<u8>,
    /// Sequences that set colours.
    pub(crate) colors: usize,
    /// Sequences that erase or move.
    pub(crate) moves: usize,
}

#[derive(Clone, Default)]
struct Row {
    text: Vec<char>,
    /// Whether the line before went on here, because the terminal was too narrow.
    wrapped: bool,
}

impl Screen {
    pub(crate) fn new(columns: usize) -> Self {
        Self {
            columns,
            rows: vec![Row::default()],
            row: 0,
            column: 0,
            rest: Vec::new(),
            colors: 0,
            moves: 0,
        }
    }

    /// Shows these bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.rest.extend(bytes);
        let bytes = std::mem::take(&mut self.rest);
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                assert!(error.error_len().is_none(), "no UTF-8: {bytes:?}");
                self.rest = bytes[error.valid_up_to()..].to_vec();
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap()
            }
        };
        let mut left = text;
        while let Some(character) = left.chars().next() {
            if character == '\x1b' {
                let Some(end) = left.find(|c: char| c.is_ascii_alphabetic()) else {
                    self.rest.splice(..0, left.bytes());
                    return;
                };
                self.sequence(&left[..=end]);
                left = &left[end + 1..];
                continue;
            }
            self.character(character);
            left = &left[character.len_utf8()..];
        }
    }

    /// A terminal that wraps its lines anew, as most do.
    pub(crate) fn resize(&mut self, columns: usize) {
        self.columns = columns;
        let cursor = self.lines_before(self.row);
        let lines = self.lines();
        self.rows.clear();
        for line in &lines {
            let characters: Vec<char> = line.chars().collect();
            let mut pieces = characters.chunks(columns);
            self.rows.push(Row {
                text: pieces.next().unwrap_or_default().to_vec(),
                wrapped: false,
            });
            self.rows.extend(pieces.map(|piece| Row {
                text: piece.to_vec(),
                wrapped: true,
            }));
        }
        // The cursor stays with its line's end, which is where the program leaves it.
        assert_eq!(cursor + 1, lines.len());
        self.row = self.rows.len() - 1;
        self.column = self.rows[self.row].text.len();
    }

    /// The lines as they were written, put together where the terminal wrapped them, without blanks at their ends.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for row in &self.rows {
            let text: String = row.text.iter().collect();
            match lines.last_mut().filter(|_| row.wrapped) {
                Some(last) => last.push_str(&text),
                None => lines.push(text),
            }
        }
        lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    /// All of them.
    pub(crate) fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// The row that the cursor stands in.
    pub(crate) fn current(&self) -> String {
        let text: String = self.rows[self.row].text.iter().collect();
        text.trim_end().to_owned()
    }

    fn lines_before(&self, row: usize) -> usize {
        self.rows[1..=row].iter().filter(|row| !row.wrapped).count()
    }

    fn character(&mut self, character: char) {
        match character {
            '\r' => self.column = 0,
            // The terminal's driver has put a carriage return before it.
            '\n' => {
                self.down();
                self.rows[self.row].wrapped = false;
            }
            control if control.is_control() => panic!("{control:?} was sent to the terminal"),
            shown => {
                if self.column == self.columns {
                    self.down();
                    self.column = 0;
                    self.rows[self.row].wrapped = true;
                }
                let text = &mut self.rows[self.row].text;
                if text.len() <= self.column {
                    text.resize(self.column + 1, ' ');
                }
                text[self.column] = shown;
                self.column += 1;
            }
        }
    }

    fn down(&mut self) {
        self.row += 1;
        if self.row == self.rows.len() {
            self.rows.push(Row::default());
        }
    }

    fn sequence(&mut self, sequence: &str) {
        let (inner, end) = sequence.split_at(sequence.len() - 1);
        let inner = inner
            .strip_prefix("\x1b[")
            .unwrap_or_else(|| panic!("{sequence:?}"));
        match end {
            "m" => self.colors += 1,
            "A" => {
                self.moves += 1;
                let up: usize = inner.parse().unwrap();
                self.row = self
                    .row
                    .checked_sub(up)
                    .expect("the cursor leaves the screen");
            }
            "J" if inner.is_empty() => {
                self.moves += 1;
                self.rows.truncate(self.row + 1);
                self.rows[self.row].text.truncate(self.column);
                if self.column == 0 {
                    self.rows[self.row].wrapped = false;
                }
            }
            _ => panic!("{sequence:?} was sent to the terminal"),
        }
    }
}

mod tests {
    use super::Screen;

    #[test]
    fn a_screen_wraps_erases_and_is_resized() {
        let mut screen = Screen::new(5);
        screen.write(b"abcdefg\r\nx\x1b[3");
        screen.write(b"1my\x1b[0m");
        assert_eq!(screen.lines(), ["abcdefg", "xy"]);
        assert_eq!((screen.current().as_str(), screen.colors), ("xy", 2));
        screen.write(b"\x1b[1A\r\x1b[J12345");
        assert_eq!(screen.lines(), ["abcde", "12345"]);
        screen.write("\r\nä".as_bytes());
        screen.resize(3);
        assert_eq!(screen.lines(), ["abcde", "12345", "ä"]);
        screen.write(b"b\r\x1b[J");
        assert_eq!(screen.text(), "abcde\n12345\n");
    }
}
