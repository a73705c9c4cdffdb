struct Version(u32);

impl FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_start_matches('v').parse().map(Version).map_err(|error| format!("{error}"))
    }
}

pub fn run(text: String) -> Result<u32, String> {
    let version: Version = text.parse()?;
    Ok(version.0)
}
