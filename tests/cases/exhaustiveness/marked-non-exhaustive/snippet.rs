#[non_exhaustive]
enum Size { Small(u32), Large }
enum Never {}
fn size(n: u32) -> Result<Size, Never> { Ok(if n < 10 { Size::Small(n) } else { Size::Large }) }
let Ok(size) = size(n);
match size {
    Size::Small(n) => format!("small {n}"),
    Size::Large => "large".to_string(),
}
