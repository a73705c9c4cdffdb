use itertools::Itertools;

pub fn run(names: Vec<String>) -> String {
    names.iter().unique().sorted().join(", ")
}
