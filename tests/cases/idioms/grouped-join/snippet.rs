use std::collections::HashMap;

pub fn run(orders: Vec<Order>, customers: Vec<Customer>) -> Vec<Summary> {
    let names: HashMap<u32, &Customer> = customers.iter().map(|c| (c.id, c)).collect();
    let grand: f64 = orders.iter().map(|o| o.total).sum();
    let mut groups: HashMap<u32, (u32, f64)> = HashMap::new();
    for Order { customer, total, .. } in &orders {
        let e = groups.entry(*customer).or_insert((0, 0.0));
        e.0 += 1;
        e.1 += total;
    }
    let mut out: Vec<Summary> = groups
        .into_iter()
        .filter_map(|(id, (orders, total))| {
            let c = names.get(&id)?;
            Some(Summary {
                name: c.name.clone(),
                orders,
                total,
                share: if grand > 0.0 { total / grand * 100.0 } else { 0.0 },
            })
        })
        .collect();
    out.sort_by(|a, b| b.total.partial_cmp(&a.total).unwrap().then_with(|| a.name.cmp(&b.name)));
    out
}
