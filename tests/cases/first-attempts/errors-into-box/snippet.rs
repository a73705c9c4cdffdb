use std::error::Error;

fn steps(which: u32) -> Result<String, Box<dyn Error>> {
    if which == 0 {
        let number: u32 = "x1".parse()?;
        return Ok(number.to_string());
    }
    if which == 1 {
        return Err("plain text".into());
    }
    let text = tools::read("a.txt")?;
    tools::write(&text)?;
    Ok(text)
}

pub fn run(which: u32) -> Result<String, String> {
    let told: Vec<String> = (0..=which)
        .filter_map(|step| steps(step).err())
        .map(|error| match error.downcast_ref::<tools::Failure>() {
            Some(tools::Failure::Missing(name)) => format!("missing {name}"),
            Some(other) => other.to_string(),
            None => error.to_string(),
        })
        .collect();
    Ok(told.join("; "))
}
