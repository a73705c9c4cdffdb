pub fn run(folder: String) -> Vec<String> {
    mail::get_messages(&folder).iter().map(|m| mail::read(m.id).unwrap_or_default()).collect()
}
