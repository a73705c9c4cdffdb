let pair = (log::emit("2"), log::emit("1"));
let both = log::emit("3") == 0 && log::emit("never") == 0;
let sum = log::emit("4") + { let x = log::emit("5"); x * log::emit("6") };
match log::emit("7") {
    n if n > 100 || log::emit("8") == 8 => {}
    _ => { log::emit("never"); }
}
let last = [net::post("9")?, net::post("10")?, log::emit("never")];
Ok(pair.0 + sum + last[0] + both as u32)
