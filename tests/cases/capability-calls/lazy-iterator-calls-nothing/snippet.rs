let texts = paths.iter().map(|p| repo::read_text(p));
let names: Vec<String> = paths.iter().rev().take(0).flat_map(|p| repo::children(p)).collect();
drop(texts);
Ok(names)
