let mut seen: std::collections::HashMap<String, u32> = Default::default();
for x in &xs {
    let first = seen.get(&xs[0]);
    seen.insert(x.clone(), first.copied().unwrap_or(0) + 1);
    println!("{first:?}");
}
seen.len() as u32
