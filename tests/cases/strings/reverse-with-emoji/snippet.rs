s.chars().rev().collect()
