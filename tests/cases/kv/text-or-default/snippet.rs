pub fn run(key: String) -> String {
    match store::get_text(&key) {
        Ok(Some(text)) => text,
        Ok(None) => String::from("nothing"),
        Err(e) => format!("error: {e:?}"),
    }
}
