struct log;
impl log { fn wipe(self) -> u32 { 3 } }
Ok(log.wipe())