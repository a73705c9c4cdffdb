1 }
pub fn evil() { 