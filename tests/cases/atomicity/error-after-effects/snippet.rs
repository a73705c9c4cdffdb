log::emit("start"); net::post("h", "delete all").ok(); missing_name
