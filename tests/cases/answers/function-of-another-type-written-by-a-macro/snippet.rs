macro_rules! entry {
    ($name:ident) => {
        pub fn $name(text: &str) -> String {
            text.to_uppercase()
        }
    };
}
entry!(run);
