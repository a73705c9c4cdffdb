pub fn run() -> String {
    println!("{}", unsafe { 1 });
    assert!(dbg!(unsafe { true }), "{}", 2);
    let list = vec![unsafe { 3u8 }; 2];
    matches!(list[0], n if unsafe { n == 3 }).to_string()
}
