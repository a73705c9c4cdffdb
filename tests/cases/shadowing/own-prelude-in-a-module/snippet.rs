#[allow(dead_code)]
mod game {
    pub struct Vec(pub u8);
    pub struct String;
    pub struct Box;
    pub enum Option { Some, None }
    pub enum Result { Ok, Err }
    pub use self::{Option::*, Result::*};
    pub trait Iterator { fn next(&self) -> u8; }
    impl Iterator for Vec { fn next(&self) -> u8 { match (Some, Ok) { (Some, Ok) => self.0, _ => 0 } } }
    pub fn drop(v: Vec) -> u8 { v.next() }
}

pub fn run(xs: Vec<String>) -> Result<Option<Vec<String>>, String> {
    let marks = game::drop(game::Vec(1)) as usize;
    Ok(Some(xs.into_iter().map(|x| x + &"!".repeat(marks)).collect()))
}
