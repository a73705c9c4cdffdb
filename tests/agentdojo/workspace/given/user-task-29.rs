pub fn given() -> Arguments29 {
    let name = "team-building-activities.docx";
    let found = drive_read::search_files_by_filename(name).unwrap_or_default();
    Arguments29 { files: found.into_iter().filter(|file| file.filename == name).map(|file| file.id).collect() }
}
