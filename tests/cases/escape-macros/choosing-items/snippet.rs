std::cfg_select! {
    target_arch = "wasm32" => {
        #[unsafe(no_mangle)]
        pub fn evil() {}
    }
    _ => {}
}
pub fn run() -> String { String::new() }
