kv::put("k", "v");
kv::get("k").unwrap_or_default()
