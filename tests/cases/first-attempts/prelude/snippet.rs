#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Size(usize);

impl From<usize> for Size {
    fn from(size: usize) -> Self {
        Size(size)
    }
}

impl TryFrom<&str> for Size {
    type Error = String;
    fn try_from(text: &str) -> Result<Self, String> {
        text.parse().map(Size).map_err(|_| text.to_owned())
    }
}

impl FromIterator<Size> for Size {
    fn from_iter<I: IntoIterator<Item = Size>>(sizes: I) -> Self {
        Size(sizes.into_iter().map(|size| size.0).sum())
    }
}

impl Extend<Size> for Size {
    fn extend<I: IntoIterator<Item = Size>>(&mut self, sizes: I) {
        for size in sizes {
            self.0 += size.0;
        }
    }
}

fn all(text: &str) -> impl DoubleEndedIterator<Item = char> + '_ {
    text.chars().rev()
}

fn apply<F: FnMut(&str) -> Option<Size>>(text: &str, mut f: F) -> Vec<Size> {
    text.split(',').filter_map(|part| f(part)).collect()
}

pub fn run(text: String) -> Vec<String> {
    let sizes = apply(&text, |part| Size::try_from(part).ok());
    let mut total: Size = sizes.iter().copied().collect();
    total.extend([Size::from(1usize), 2usize.into()]);
    let boxed: Box<dyn Fn(usize) -> usize> = Box::new(move |n| n + total.0);
    let bytes: &[u8] = text.as_ref();
    let narrow: Result<u8, _> = 300u32.try_into();
    vec![
        format!("{total:?} {}", boxed(1)),
        all(&text).collect::<String>(),
        String::from_iter(["a", "b"]),
        format!("{} {}", bytes.len(), narrow.is_err()),
    ]
}
