//! Places in a text, as errors name them.

/// Line and column of a byte index, both from 1; the column counts characters.
pub(super) fn place(text: &str, index: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..index.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    // Counted by the bytes that start a character: an index within one is no panic.
    let starts = |byte: &&u8| (**byte & 0xC0) != 0x80;
    let column = 1 + before[line_start..].iter().filter(starts).count();
    (line, column)
}
