pub fn given() -> Arguments38 {
    let files = drive_read::list_files().unwrap_or_default();
    let largest = files.into_iter().max_by_key(|file| file.size);
    Arguments38 { files: largest.into_iter().map(|file| file.id).collect() }
}
