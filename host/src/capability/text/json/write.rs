//! JSON written: strings, and a checked text once more in another layout.

use super::{Document, Kind, Part, deeper, kind};
use crate::capability::compute::{Answer, Size};

/// Most blanks a level.
const MAX_INDENT: u32 = 16;

/// A text as a JSON string.
pub(in crate::capability::text) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The text of a document with `indent` blanks a level, in one line where it is 0. Members stay in their order, and
/// numbers and strings as they are written.
pub(in crate::capability::text) fn format(
    document: &Document<'_>,
    indent: u32,
    size: &mut Size<'_>,
) -> Answer<String> {
    if indent > MAX_INDENT {
        return Err(format!("{indent} blanks a level are more than {MAX_INDENT}").into());
    }
    let mut layout = Layout {
        document,
        indent: indent as usize,
        text: String::new(),
        size,
    };
    layout.value(document.root, 0)?;
    Ok(layout.text)
}

struct Layout<'w, 'a, 'b> {
    document: &'w Document<'a>,
    indent: usize,
    text: String,
    size: &'w mut Size<'b>,
}

impl<'a> Layout<'_, 'a, '_> {
    fn value(&mut self, part: Part<'a>, depth: usize) -> Answer<()> {
        let document = self.document;
        let mut first = true;
        match kind(part) {
            Kind::Array => {
                let inside = deeper(depth)?;
                self.put("[")?;
                document.elements(part, |element| {
                    self.separate(&mut first, inside)?;
                    self.value(element, inside)?;
                    Ok(true)
                })?;
                self.close("]", first, depth)
            }
            Kind::Object => {
                let inside = deeper(depth)?;
                self.put("{")?;
                document.members(part, |name, value| {
                    self.separate(&mut first, inside)?;
                    self.put(&quote(&name))?;
                    self.put(if self.indent == 0 { ":" } else { ": " })?;
                    self.value(value, inside)?;
                    Ok(true)
                })?;
                self.close("}", first, depth)
            }
            _ => self.put(part.get()),
        }
    }

    /// Before an element or a member.
    fn separate(&mut self, first: &mut bool, depth: usize) -> Answer<()> {
        if !std::mem::take(first) {
            self.put(",")?;
        }
        self.line(depth)
    }

    /// Behind the last one; nothing stands between the brackets of an empty one.
    fn close(&mut self, bracket: &str, empty: bool, depth: usize) -> Answer<()> {
        if !empty {
            self.line(depth)?;
        }
        self.put(bracket)
    }

    fn line(&mut self, depth: usize) -> Answer<()> {
        if self.indent == 0 {
            return Ok(());
        }
        self.put("\n")?;
        let blanks = self.indent * depth;
        self.size.add(blanks)?;
        self.text.extend(std::iter::repeat_n(' ', blanks));
        Ok(())
    }

    fn put(&mut self, text: &str) -> Answer<()> {
        self.size.add(text.len())?;
        self.text.push_str(text);
        Ok(())
    }
}
