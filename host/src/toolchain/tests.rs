use super::*;

#[test]
fn prepares() {
    let cache = cache_folder(None).unwrap();
    let mut lines = Vec::new();
    let toolchain = prepare(&cache, &mut |line| lines.push(line.to_owned())).unwrap();
    println!("{toolchain:#?} {lines:?}");
}
