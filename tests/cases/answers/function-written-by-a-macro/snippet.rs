macro_rules! entry {
    ($name:ident) => {
        pub fn $name(text: String) -> String {
            text.to_uppercase()
        }
    };
}
entry!(run);
