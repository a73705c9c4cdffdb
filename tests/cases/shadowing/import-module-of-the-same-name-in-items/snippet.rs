use log as journal;

mod helpers {
    pub mod log {
        pub fn emit(n: u32) -> u32 {
            let word = ["zero", "one", "two"][n as usize];
            super::super::log::emit(word) + n
        }
    }
}

pub fn run(n: u32) -> u32 {
    let _ = journal::emit as fn(&str) -> u32;
    helpers::log::emit(n)
}
