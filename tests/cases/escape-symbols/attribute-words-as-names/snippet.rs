pub fn run() -> String {
    let export_name = "lib";
    let (no_mangle, link_section) = (true, ".text");
    println!("{export_name}");
    format!("{} {} {}", export_name, no_mangle, link_section)
}
