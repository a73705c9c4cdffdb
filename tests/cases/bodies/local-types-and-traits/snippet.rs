#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
enum Side { #[default] Left, Right }
trait Flip { fn flip(self) -> Self; }
impl Flip for Side { fn flip(self) -> Self { match self { Side::Left => Side::Right, Side::Right => Side::Left } } }
impl std::fmt::Display for Side { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{self:?}") } }
Side::default().flip().to_string().len() as u32