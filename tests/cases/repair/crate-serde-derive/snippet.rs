use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    name: String,
}

pub fn run(text: String) -> u32 {
    let row = Row { name: text };
    row.name.len() as u32
}
