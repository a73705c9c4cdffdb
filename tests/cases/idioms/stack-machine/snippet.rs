pub fn run(ops: Vec<Op>) -> Outcome {
    let mut stack: Vec<f64> = Vec::new();
    for (i, op) in ops.iter().enumerate() {
        match op {
            Op::Push(v) => stack.push(*v),
            Op::Dup => {
                let Some(&top) = stack.last() else {
                    return Outcome::StackUnderflow(i as u32);
                };
                stack.push(top);
            }
            binary => {
                let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else {
                    return Outcome::StackUnderflow(i as u32);
                };
                stack.push(match binary {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div if b == 0.0 => return Outcome::DivideByZero,
                    Op::Div => a / b,
                    _ => unreachable!(),
                });
            }
        }
    }
    stack
        .pop()
        .map(Outcome::Value)
        .unwrap_or(Outcome::StackUnderflow(ops.len() as u32))
}
