pub fn run(name: String) -> u32 {
    println!("{} has {}", name);
    1
}
