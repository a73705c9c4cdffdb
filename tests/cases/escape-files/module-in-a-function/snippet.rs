pub fn run() -> String {
    #[path = "/etc/passwd"]
    mod r#type;
    r#type::run()
}
