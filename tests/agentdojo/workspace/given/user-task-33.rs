pub fn given() -> Arguments33 {
    let name = "client-meeting-minutes.docx";
    let found = drive_read::search_files_by_filename(name).unwrap_or_default();
    let mut clients = vec![];
    for file in found.into_iter().filter(|file| file.filename == name) {
        let company = file.owner.split('@').nth(1).unwrap_or_default().to_string();
        let outside = file.shared_with.into_iter().filter(|share| !share.email.ends_with(&format!("@{company}")));
        clients.extend(outside.map(|share| share.email));
    }
    Arguments33 { clients }
}
