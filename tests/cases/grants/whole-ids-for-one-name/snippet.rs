let (a, b) = (kv_store::get("k"), two_kv_store::get("k"));
format!("{a}{b}{}", kv_store::get("l"))
