use std::io::{BufRead, Cursor, Write};
let mut out: Vec<u8> = Vec::new();
for line in Cursor::new(s).lines() { writeln!(out, "{}!", line.unwrap()).unwrap(); }
String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()