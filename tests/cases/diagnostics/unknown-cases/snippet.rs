pub fn run(s: String) -> u32 {
    let may = Perms::WRIT | Perms::AppendOnly;
    let level = Level::Mid;
    let error = Error::NotFund;
    match repo::read_text(&s) {
        Ok(_) => 1,
        Err(Error::Denied) => 2,
        Err(Error::NotFound(_)) => 3,
        Err(_) => 4,
    }
}
