let text = format!(r#"{{"b":[1,{{}}],"a":{},"c":[]}}"#, json::quote("x \"y\"\n"));
json::format(&text, 2)
