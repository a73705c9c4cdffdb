fn steps(which: u32) -> Result<String, String> {
    match which {
        0 => Ok(tools::read("a.txt")?),
        1 => {
            tools::write("x")?;
            Ok("written".to_string())
        }
        _ => Ok(tools::check(which)?.to_string()),
    }
}

pub fn run(which: u32) -> Result<String, String> {
    let all: Vec<String> = (0..which).map(|step| steps(step).unwrap_or_else(|error| error)).collect();
    Ok(all.join("; "))
}
