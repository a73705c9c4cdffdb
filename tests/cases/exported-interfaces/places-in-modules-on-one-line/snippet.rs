pub mod a { pub fn parse(s: String) -> Size { Size { v: s.len() } } }
pub mod b { pub fn parse(s: String) -> Size { Size { v: s.len() } } }
