pub fn run(perms: Perms) -> String {
    if perms & Perms::READ != 0 { "r".to_string() } else { String::new() }
}
