macro_rules! vec { ($($t:tt)*) => { [9u32; 2] } } let v = vec![1, 2, 3]; v.len() as u32
