pub fn run(mut shapes: Vec<Shape>) -> Vec<Shape> {
    for s in shapes.iter_mut() {
        s.points.dedup();
        s.points.sort();
        s.points.retain(|p| p.x >= 0);
        let c = s.points.iter().fold(Point { x: 0, y: 0 }, |a, p| Point {
            x: a.x + p.x,
            y: a.y + p.y,
        });
        s.points.push(Point { x: c.x, ..c });
        s.color.get_or_insert_with(|| "red".to_string()).push('!');
        s.name = s.name.clone() + "2";
        let Shape { name, points, .. } = s;
        println!("{name} {}", points.len());
    }
    shapes.sort_by_key(|s| (s.points.len(), s.name.clone()));
    shapes
        .into_iter()
        .map(|s| Shape {
            color: s.color.or(Some("x".into())),
            ..s
        })
        .collect()
}
