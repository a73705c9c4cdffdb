const LIMIT: u32 = 3;

fn helper(n: u32) -> u32 {
    n.min(LIMIT)
}

mod outer {
    pub fn one() -> u32 {
        helper(1)
    }

    pub mod inner {
        pub fn two() -> u32 {
            repo::size().min(LIMIT)
        }
    }
}

pub fn run() -> String {
    (outer::one() + outer::inner::two()).to_string()
}
