if let db::Found::One(r) = db::find("k") { std::mem::forget(r); }
"x".into()