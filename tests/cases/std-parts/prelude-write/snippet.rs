struct Count(u32, String);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

mod bytes {
    use std::io::Write;

    pub fn said() -> Vec<u8> {
        let mut out = Vec::new();
        write!(out, "bytes: {}", "ok").unwrap();
        out.flush().unwrap();
        out
    }
}

pub fn run(text: String) -> String {
    let mut counts = BTreeMap::new();
    for word in text.split(' ') {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    let mut out = String::new();
    for (word, n) in counts {
        write!(out, "{}, ", Count(n, word)).unwrap();
    }
    write!(&mut out, "{}", String::from_utf8(bytes::said()).unwrap()).unwrap();
    out
}
