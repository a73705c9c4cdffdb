use std::io::Cursor;

pub fn run(data: Vec<u8>) -> Result<String, String> {
    let mut text = String::new();
    Cursor::new(data).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}
