let plan = big::ask(&q)?;
let mut out = Vec::new();
for step in plan.lines() { out.push(small::ask(step)?); }
Ok(out.join("|"))
