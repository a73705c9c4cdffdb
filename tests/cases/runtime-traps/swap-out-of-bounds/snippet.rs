pub fn run(text: String) -> String {
    let mut list: Vec<&str> = text.split(',').collect();
    list.swap(0, 7);
    list.concat()
}
