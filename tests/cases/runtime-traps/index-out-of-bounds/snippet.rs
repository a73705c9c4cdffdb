xs[i as usize]
