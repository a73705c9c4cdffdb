loop { match agent::ask_string(&q) { Ok(_) => continue, Err(e) => return Err(e) } }
