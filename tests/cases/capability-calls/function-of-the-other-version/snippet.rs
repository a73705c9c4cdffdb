store_kv::put("k", "v");
String::new()
