use std::collections::BTreeMap;
let short = |s: String| s.replace("Shape::", "").replace("Perms", "");
let (width, precision) = (6, 2);
struct Padded(&'static str);
impl std::fmt::Display for Padded { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.0) } }
vec![
    format!("{:>8.2}|{:+}|{:04}|{:<5}|{:^5}|{:*>5}|{:#06x}", 3.14159, 7, -5, "ab", "ab", "ab", 255),
    format!("{p:?}"),
    format!("{p:#?}"),
    short(format!("{:?}", [Shape::Dot, Shape::At(Point { x: 0, label: None })])),
    format!("{:?}", BTreeMap::from([("a", [1, 2])])),
    format!("{:>width$.precision$} {{}}", 1.5),
    format!("{1} {0} {1}", 1, 2),
    format!("[{:>3}],[{:<3}]", Padded("a"), Padded("a")),
    format!("{} {} {} {:?} {}", 1.5, 1.0, 0.1f32, 1e21, f64::NAN),
]
