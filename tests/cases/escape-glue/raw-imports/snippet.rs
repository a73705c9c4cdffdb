pub fn run() -> String {
    crate::snippet::repo::write("a", "b");
    repo::wit_import0(0, 0);
    repo::read_text("a")
}
