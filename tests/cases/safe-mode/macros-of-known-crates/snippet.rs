lazy_static! { static ref LIMIT: u32 = 3; }
if s.len() > 3 { bail!("too long"); }
Err(anyhow!("short").to_string())
