thread_local! { @processing_cfg_attr { pred: (true), rhs: [] }; [#[unsafe(export_name = "evil")] #[used]] [];
    pub static X: [u8; 16] = const { *b"EVILEVILEVILEVIL" } }
pub fn run() -> String { String::new() }
