pub fn run(which: u32) -> Result<String, tools::Failure> {
    if which == 0 {
        return Err(tools::Failure::Busy);
    }
    let text = tools::read("a.txt")?;
    Ok(text)
}
