let mut said = Vec::new();
for n in 0..3 {
    match out::set_text(&format!("k{n}"), "x") {
        Ok(()) => said.push("done".to_string()),
        Err(e) => said.push(e.to_string()),
    }
}
said
