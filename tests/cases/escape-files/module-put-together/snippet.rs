macro_rules! module {
    ($keyword:tt $name:tt { $end:tt }) => { #[path = "/etc/passwd"] $keyword $name $end };
}
module!(mod accounts { ; });
pub fn run() -> String { String::new() }
