agent::ask_string(&q).and_then(|a| agent::ask_string(&a)).and_then(|a| agent::ask_string(&a))
