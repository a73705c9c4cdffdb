let mut failed = Vec::new();
for name in &names {
    if let Err(e) = net::post(name) {
        log::emit(&format!("{name}: {e}"));
        failed.push(name.as_str());
    }
}
if failed.is_empty() { Ok(0) } else { Err(failed.join(" ")) }
