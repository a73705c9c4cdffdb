use tool::{Level, Mode, Point, Value};
let r = tool::call(
    Point { x: 1 },
    &[Level::Low, Level::High],
    Mode::READ | Mode::WRITE,
    &Value::Points(vec![Point { x: 2 }]),
    (1, 'ü', true),
    Some(&[Point { x: 3 }]),
    Ok(Point { x: 4 }),
    f64::NAN,
);
let ok = matches!(&r, Ok((Value::Level(Some(Level::High)), mode)) if *mode == Mode::WRITE);
let nested = tool::nested(Some(None));
let bytes = tool::bytes(b"\x00\xff");
let empty = tool::empty(Err(3));
let long = tool::long(i8::MIN, i64::MIN, u16::MAX, u64::MAX, -0.5);
format!("{ok} {nested:?} {bytes:?} {empty:?} {long}")
