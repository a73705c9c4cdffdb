trait Loud { fn to_uppercase(&self) -> String; }
impl Loud for u8 { fn to_uppercase(&self) -> String { "n".into() } }
s.to_uppercase() + &1u8.to_uppercase()