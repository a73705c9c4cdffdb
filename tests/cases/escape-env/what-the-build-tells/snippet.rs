#[cfg(target_arch = "wasm32")]
const ON: &str = "wasm";
#[cfg(not(target_arch = "wasm32"))]
const ON: &str = "host";
pub fn run() -> String {
    format!("{ON} {} {} {}", cfg!(debug_assertions), cfg!(test), cfg!(feature = "std"))
}
