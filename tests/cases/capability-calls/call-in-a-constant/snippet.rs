const LEVEL: u32 = log::emit("start");
format!("{LEVEL}")
