mod log { pub fn emit(_: &str) {} } log::emit("x"); 1
