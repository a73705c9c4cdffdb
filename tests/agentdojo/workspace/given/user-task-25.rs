pub fn given() -> Arguments25 {
    let name = "team-meeting-minutes.docx";
    let found = drive_read::search_files_by_filename(name).unwrap_or_default();
    let minutes = found.into_iter().filter(|file| file.filename == name);
    Arguments25 { persons: minutes.flat_map(|file| file.shared_with).map(|share| share.email).collect() }
}
