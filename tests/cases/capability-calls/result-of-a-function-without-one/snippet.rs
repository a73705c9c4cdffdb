let status = shop::close();
if status.is_ok() { Ok(1) } else { Err("open".into()) }
