let rows: Vec<Vec<String>> = [["a", "x, y"], ["say \"hi\"", ""], ["two\nlines", "z"]]
    .iter()
    .map(|row| row.iter().map(|field| field.to_string()).collect())
    .collect();
csv::write(&rows, ',')
