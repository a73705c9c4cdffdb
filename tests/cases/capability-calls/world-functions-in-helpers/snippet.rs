mod net {
    pub fn get(url: &str) -> Result<String, String> {
        super::fetch(url, Some(10)).or_else(|e| if e == "busy" { super::fetch(url, None) } else { Err(e) })
    }
}

pub fn run(url: String) -> Result<String, String> {
    let timed = |f: fn() -> u64| format!("{}", f());
    let before = timed(stamp);
    let text = net::get(&url)?;
    Ok(before + &text)
}
