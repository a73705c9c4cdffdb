thread_local! {
    #[unsafe(link_section = "component-type:evil")]
    static STATE: u32 = 1;
}
pub fn run() -> String { STATE.with(|n| n.to_string()) }
