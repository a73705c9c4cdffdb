match store::get("") {
    Ok(_) => "a value".to_string(),
    Err(store::Error::InvalidKey(key)) => format!("no key: {key:?}"),
    Err(other) => format!("{other}"),
}
