let top = xs.iter().sorted().take(xs.length()).map(|x| x.to_string());
top.join(", ")
