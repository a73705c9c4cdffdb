mod inner {
    pub enum Option { Nope }
    pub fn f() -> u32 { let _ = Option::Nope; 4 }
}
pub fn run() -> Option<u32> { Some(inner::f()) }
