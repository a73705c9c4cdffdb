struct Log { log: u32 }
impl Log { fn emit(&self, s: &str) -> u32 { self.log + log::emit(s) } }
let log = Log { log: log::emit(&emit.to_string()) };
let emit = |n: u32| n + 3;
'log: loop { if emit(0) == 3 { break 'log } }
emit(log.emit("method")) + emit as fn(u32) -> u32 as usize as u32 * 0 + 1
