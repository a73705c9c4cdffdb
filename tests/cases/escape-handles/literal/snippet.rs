pub fn run() -> String {
    let dir = repo::Dir { handle: todo!() };
    dir.name()
}
