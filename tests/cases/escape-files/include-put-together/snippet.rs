macro_rules! put_together {
    ($file:tt $name:tt $root:tt) => { $root::$name!($file) };
}
pub fn run() -> String {
    put_together!("/etc/hostname" include_str core).to_string()
}
