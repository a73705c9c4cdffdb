//! Server-sent events (WHATWG HTML, section 9.2.6), read from bytes that may be split anywhere.

/// An event's data grew past what one event may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Takes bytes as they come and gives the data of each event that is complete.
///
/// Lines end with `\n`, `\r\n` or `\r`. Those bytes never stand inside a UTF-8 character, so a character split between
/// two reads is whole again by the time its line is.
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
    at_start: bool,
    most: usize,
}

impl Events {
    /// `most`: bytes that one event may hold.
    pub(super) fn new(most: usize) -> Self {
        Self {
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            after_return: false,
            at_start: true,
            most,
        }
    }

    /// Takes the next bytes. Events of no data (comments, `retry:`) give nothing.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut events = Vec::new();
        for &byte in bytes {
            let second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if second_half => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
            if self.line.len() + self.data.len() > self.most {
                return Err(TooLong);
            }
        }
        Ok(events)
    }

    /// The last event when the stream ends without the empty line behind it. The specification drops it, but servers
    /// leave the last line end out, and whoever reads the data sees whether it is whole.
    pub(super) fn finish(mut self) -> Option<Vec<u8>> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.has_data.then_some(self.data)
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.at_start) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return std::mem::take(&mut self.has_data).then_some(data);
        }
        let colon = line.iter().position(|&byte| byte == b':');
        let (field, value) = match colon {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (&line[..], &[][..]),
        };
        if field == b"data" {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data
                .extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut events = Events::new(1000);
        let mut found = Vec::new();
        for chunk in chunks {
            found.extend(events.push(chunk).unwrap());
        }
        found.extend(events.finish());
        found
            .into_iter()
            .map(|data| String::from_utf8(data).unwrap())
            .collect()
    }

    const STREAM: &str = "\u{feff}: comment\r\ndata: {\"a\":\"é漢\"}\r\n\r\nevent: x\rdata:one\rdata: two\r\rid\n\ndata\n\ndata: [DONE]";

    #[test]
    fn every_split_gives_the_same_events() {
        let expected = ["{\"a\":\"é漢\"}", "one\ntwo", "", "[DONE]"];
        let bytes = STREAM.as_bytes();
        assert_eq!(read(&[bytes]), expected);
        for at in 0..bytes.len() {
            assert_eq!(
                read(&[&bytes[..at], &bytes[at..]]),
                expected,
                "split at {at}"
            );
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), expected);
    }

    #[test]
    fn comments_without_end_take_no_memory_and_long_events_are_refused() {
        let mut events = Events::new(100);
        for _ in 0..1000 {
            assert_eq!(events.push(b": keep-alive\n\n"), Ok(Vec::new()));
        }
        assert_eq!(events.push(&[b'x'; 101]), Err(TooLong));
    }

    mod random {
        use proptest::prelude::*;

        use super::super::*;

        /// Everything that comes of a stream that is read in these pieces, a refusal included.
        fn read(bytes: &[u8], ends: &[usize]) -> (Vec<Vec<u8>>, Result<Option<Vec<u8>>, TooLong>) {
            let mut events = Events::new(64);
            let mut found = Vec::new();
            let mut start = 0;
            for end in ends.iter().copied().chain([bytes.len()]) {
                let end = end.clamp(start, bytes.len());
                match events.push(&bytes[start..end]) {
                    Ok(more) => found.extend(more),
                    Err(error) => return (Vec::new(), Err(error)),
                }
                start = end;
            }
            (found, Ok(events.finish()))
        }

        fn stream() -> impl Strategy<Value = Vec<u8>> {
            let part = prop_oneof![
                Just(b"data: ".to_vec()),
                Just(b"data:{\"choices\":[]}".to_vec()),
                Just(b"\r\n".to_vec()),
                Just(b"\n".to_vec()),
                Just(b"\r".to_vec()),
                Just(b": keep-alive".to_vec()),
                Just("é漢\u{feff}".as_bytes().to_vec()),
                prop::collection::vec(any::<u8>(), 0..6),
            ];
            prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
        }

        proptest! {
            #[test]
            fn wherever_a_stream_is_split_its_events_are_the_same(bytes in stream(), mut ends in prop::collection::vec(0usize..200, 0..12)) {
                ends.sort_unstable();
                let whole = read(&bytes, &[]);
                prop_assert_eq!(&read(&bytes, &ends), &whole);
                let single: Vec<usize> = (0..bytes.len()).collect();
                prop_assert_eq!(&read(&bytes, &single), &whole);
            }
        }
    }
}
