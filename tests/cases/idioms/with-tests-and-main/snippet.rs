pub fn run(text: String) -> String {
    text.to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works() {
        assert_eq!(run("a".to_string()), "A");
    }
}

fn main() {
    println!("{}", run("x".to_string()));
}
