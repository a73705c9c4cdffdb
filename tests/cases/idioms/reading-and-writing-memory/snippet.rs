use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
fn load(text: &str) -> io::Result<Vec<String>> {
    let mut out = Vec::new();
    for line in BufReader::new(text.as_bytes()).lines() {
        out.push(line?);
    }
    let mut first = String::new();
    Cursor::new(text).read_line(&mut first)?;
    let mut rest = Vec::new();
    text.as_bytes().take(3).read_to_end(&mut rest)?;
    if rest.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "empty"));
    }
    Ok(out)
}
pub fn run(text: String) -> String {
    let mut buf: Vec<u8> = Vec::new();
    writeln!(buf, "n={}", 1).unwrap();
    buf.write_all(b"x").unwrap();
    let stdout = io::stdout();
    let mut lock = stdout.lock();
    writeln!(lock, "hello").unwrap();
    load(&text).map(|v| v.join("|")).unwrap_or_else(|e| e.to_string())
}
