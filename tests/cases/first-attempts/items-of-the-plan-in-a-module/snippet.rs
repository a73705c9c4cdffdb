mod build {
    pub fn item(name: &str) -> Item {
        Item { name: name.to_string(), size: name.len() as u32 }
    }
}

pub fn run(name: String) -> Item {
    build::item(&name)
}
