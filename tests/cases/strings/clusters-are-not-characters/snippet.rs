let units: Vec<u16> = s.encode_utf16().collect();
(vec![s.len() as u32, s.chars().count() as u32, units.len() as u32], s.chars().rev().collect(), units[..3].to_vec())
