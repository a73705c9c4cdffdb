#[derive(thiserror::Error, Debug, Display, From)]
enum Failure {
    #[error("no {0}")]
    No(String),
    #[error(transparent)]
    Other(std::num::ParseIntError),
}

pub fn run(text: String) -> String {
    text
}
