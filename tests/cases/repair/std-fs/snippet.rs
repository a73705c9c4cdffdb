use std::fs;

pub fn run(path: String) -> Result<String, String> {
    fs::read_to_string(&path).map_err(|error| error.to_string())
}
