use std::fmt;

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("level")
    }
}

impl std::str::FromStr for Level {
    type Err = String;
    fn from_str(_: &str) -> Result<Self, String> {
        Ok(Level::Low)
    }
}

impl Default for Item {
    fn default() -> Self {
        Item { name: String::new(), level: Level::Low }
    }
}

impl Ord for Item {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.name.cmp(&other.name)
    }
}

impl Clone for Level {
    fn clone(&self) -> Self {
        Level::Low
    }
}

pub fn run(items: Vec<Item>) -> String {
    items.iter().map(|i| format!("{}={}", i.name, i.level)).collect::<Vec<_>>().join(",")
}
