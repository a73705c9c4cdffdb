#[target_feature(enable = "atomics,exception-handling")]
fn shared() {}
#[target_feature(enable = "no-such-feature")]
fn other() {}
pub fn run() -> String { shared(); other(); String::new() }
