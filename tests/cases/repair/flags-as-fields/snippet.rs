pub fn run(mut perms: Perms) -> String {
    if perms.run_all {
        perms.write = true;
    }
    if perms.read() && perms.is_write() { "rw".to_string() } else { String::new() }
}
