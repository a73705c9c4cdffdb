macro_rules! twice {
    ($x:expr) => { $x * "2" };
}
twice!(4u32)
