let old = store_kv::get("k").unwrap_or_default();
let new = lib_store_kv::get("k").unwrap_or_else(|e| e);
lib_store_kv::put("k", &old);
old + &new
