use std::sync::LazyLock;
static LEVEL: LazyLock<u32> = LazyLock::new(|| log::emit("lazy"));
let first = log::emit("first");
format!("{first}{}{}", *LEVEL, *LEVEL)
