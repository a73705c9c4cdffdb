let v = vec![1u32]; v.iter().map(|x| x + 1); v[0]
