use anyhow::{Context, Result, bail};

fn parse(text: &str) -> Result<u32> {
    if text.is_empty() {
        bail!("empty");
    }
    text.parse::<u32>().context("no number")
}

pub fn run(text: String) -> String {
    parse(&text).map_or_else(|error| error.to_string(), |n| n.to_string())
}
