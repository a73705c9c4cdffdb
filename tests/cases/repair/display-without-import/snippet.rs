struct Row { name: &'static str, size: u32 }

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<4}{}", self.name, self.size)
    }
}

pub fn run() -> String {
    Row { name: "a", size: 3 }.to_string()
}
