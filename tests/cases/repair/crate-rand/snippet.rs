use rand::seq::SliceRandom;
use rand::Rng;

pub fn run(names: Vec<String>) -> String {
    let mut rng = rand::thread_rng();
    let at = rng.gen_range(0..names.len());
    names[at].clone()
}
