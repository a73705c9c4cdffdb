pub fn run() -> String {
    format!("{:?}", (option_env!("LACUNA_CANARY"), option_env!("HOME"), option_env!("PATH")))
}
