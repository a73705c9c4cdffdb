pub fn look(_f: &File) -> u32 {
    1
}

pub fn count() -> u32 {
    2
}
