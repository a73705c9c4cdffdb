//! How the pieces of a streamed answer are told apart: server-sent events, or a line of JSON each.

use super::sse::{Events, TooLong};

/// Takes bytes as they come and gives each piece that is complete.
pub(super) enum Pieces {
    /// Server-sent events.
    Events(Events),
    /// Lines.
    Lines(Lines),
}

impl Pieces {
    /// The pieces of a content type (in lower case) that says it is a stream; `most` bytes each.
    pub(super) fn of(content_type: &str, most: usize) -> Option<Self> {
        if content_type.contains("event-stream") {
            Some(Self::Events(Events::new(most)))
        } else if ["ndjson", "jsonl", "jsonlines"]
            .iter()
            .any(|name| content_type.contains(name))
        {
            Some(Self::Lines(Lines {
                line: Vec::new(),
                most,
            }))
        } else {
            None
        }
    }

    /// The pieces of a body that is a stream of events without having said so.
    pub(super) fn guess(body: &[u8], most: usize) -> Option<Self> {
        let start = body.trim_ascii_start();
        [&b"data:"[..], b"event:", b": "]
            .iter()
            .any(|field| start.starts_with(field))
            .then(|| Self::Events(Events::new(most)))
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        match self {
            Self::Events(events) => events.push(bytes),
            Self::Lines(lines) => lines.push(bytes),
        }
    }

    /// The last piece when the stream ends without its end.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        match self {
            Self::Events(events) => events.finish(),
            Self::Lines(lines) => Some(lines.line).filter(|line| !line.is_empty()),
        }
    }
}

/// Lines as they come.
pub(super) struct Lines {
    line: Vec<u8>,
    most: usize,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut complete = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() > self.most {
                return Err(TooLong);
            }
            if part.ends_with(b"\n") {
                complete.push(std::mem::take(&mut self.line));
            }
        }
        Ok(complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]], most: usize) -> Result<Vec<String>, TooLong> {
        let mut pieces = Pieces::of("application/x-ndjson; charset=utf-8", most).unwrap();
        let mut found = Vec::new();
        for chunk in chunks {
            found.extend(pieces.push(chunk)?);
        }
        found.extend(pieces.finish());
        Ok(found
            .into_iter()
            .map(|line| String::from_utf8(line).unwrap())
            .collect())
    }

    #[test]
    fn wherever_lines_are_split_they_are_the_same() {
        let text = "{\"a\":\"é漢\"}\n\r\n{\"b\":1}\n{\"c\":2}".as_bytes();
        let whole = read(&[text], 100).unwrap();
        assert_eq!(whole.len(), 4);
        for at in 0..text.len() {
            assert_eq!(read(&[&text[..at], &text[at..]], 100).unwrap(), whole);
        }
        let single: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(read(&single, 100).unwrap(), whole);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        assert_eq!(read(&[&[b'x'; 60], &[b'x'; 60]], 100), Err(TooLong));
        assert_eq!(read(&[&b"xxxxx\n".repeat(60)], 100).unwrap().len(), 60);
    }
}
