pub fn run(lines: Vec<Line>) -> f64 {
    let mut total = 0.0;
    for Line { qty, price } in &lines {
        total += price * qty;
    }
    let all: f64 = lines.iter().map(|l| l.qty * l.price).sum();
    (total + all) / lines.len() / 2.0
}
