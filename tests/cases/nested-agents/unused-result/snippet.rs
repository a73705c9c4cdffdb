let a = agent::ask_string(&q); Ok("done".into())
