let lossy = String::from_utf8_lossy(&b).into_owned();
let parts: Vec<String> = b.utf8_chunks().filter(|c| !c.valid().is_empty()).map(|c| c.valid().to_string()).collect();
let valid = std::str::from_utf8(&b).map_err(|e| e.valid_up_to() as u32).unwrap_err();
(lossy, parts.concat(), parts, valid)
