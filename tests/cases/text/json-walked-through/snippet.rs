use json::Node;

fn depth(nodes: &[Node], at: u32) -> u32 {
    match &nodes[at as usize] {
        Node::Array(items) => 1 + items.iter().map(|&i| depth(nodes, i)).max().unwrap_or(0),
        Node::Object(members) => 1 + members.iter().map(|(_, i)| depth(nodes, *i)).max().unwrap_or(0),
        _ => 0,
    }
}

pub fn run(text: String) -> Result<(u32, f64), String> {
    let nodes = json::parse(&text)?;
    let sum = nodes
        .iter()
        .filter_map(|node| match node {
            Node::Number(number) => number.parse::<f64>().ok(),
            _ => None,
        })
        .sum();
    Ok((depth(&nodes, 0), sum))
}
