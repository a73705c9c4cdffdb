let at = host::stamp();
let text = host::fetch(&url, None)?;
Ok(format!("{at}: {text}"))
