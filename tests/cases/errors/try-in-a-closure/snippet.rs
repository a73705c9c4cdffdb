let numbers: Vec<u32> = xs.iter().map(|x| x.parse::<u32>().map_err(|e| e.to_string())?).collect();
Ok(numbers)
