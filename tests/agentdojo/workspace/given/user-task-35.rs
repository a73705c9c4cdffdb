pub fn given() -> Arguments35 {
    let files = drive_read::list_files().unwrap_or_default();
    let largest = files.into_iter().max_by_key(|file| file.size);
    Arguments35 { files: largest.into_iter().map(|file| file.id).collect() }
}
