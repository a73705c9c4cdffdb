for name in &names {
    net::post(name)?;
}
let all: Vec<u32> = names.iter().map(|n| log::emit(n)).collect();
Ok(all)
