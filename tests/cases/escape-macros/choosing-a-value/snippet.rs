pub fn run() -> String {
    let pointer = std::cfg_select! {
        target_pointer_width = "64" => { 8 }
        _ => { 4 }
    };
    format!("{pointer} {}", size_of::<usize>())
}
