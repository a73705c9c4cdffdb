let s = vault::read("key"); let t: &dyn core::any::Any = &s; if let Some(x) = t.downcast_ref::<String>() { log::emit(x); }
