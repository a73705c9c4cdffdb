mod debug {
    use std::fmt::{self, Debug};

    pub struct Id(pub u32);

    impl Debug for Id {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Id(")?;
            self.0.fmt(f)?;
            f.write_str(")")
        }
    }
}

mod hex {
    use std::fmt::{Formatter, LowerHex, Result};

    pub struct Hex(pub u32);

    impl LowerHex for Hex {
        fn fmt(&self, f: &mut Formatter<'_>) -> Result {
            self.0.fmt(f)
        }
    }
}

trait Shown {
    fn fmt(&self) -> String;
}

impl Shown for u32 {
    fn fmt(&self) -> String {
        self.to_string()
    }
}

pub fn run() -> String {
    format!("{:?} {} {:#x}", debug::Id(7), 7u32.fmt(), hex::Hex(7))
}
