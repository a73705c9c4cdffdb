if names.len() > 1_000_000 {
    net::post(&42)?;
}
Ok(log::emit("a"))
