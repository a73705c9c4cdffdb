pub fn given() -> Arguments34 {
    let found = drive_read::search_files_by_filename("grocery-list").unwrap_or_default();
    Arguments34 { lists: found.into_iter().map(|file| file.id).collect() }
}
