pub fn run() -> String {
    env!("LACUNA_CANARY").to_owned()
}
