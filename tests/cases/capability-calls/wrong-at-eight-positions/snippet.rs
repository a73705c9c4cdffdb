use tool::{Level, Mode, Point, Value};
let r = tool::call(
    &Point { x: 1 },
    vec![Level::Low],
    &[Mode::READ],
    Value::Number(1),
    &(1, 'a', true),
    Some(vec![Point { x: 3 }]),
    Ok(Point { x: 4 }),
    1,
);
format!("{r:?}")
