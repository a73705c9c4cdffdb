use std::borrow::Cow;
fn clean(s: &str) -> Cow<'_, str> {
    if s.contains('\t') {
        Cow::Owned(s.replace('\t', "    "))
    } else {
        Cow::Borrowed(s)
    }
}
pub fn run(text: String) -> String {
    text.lines()
        .map(clean)
        .map(|c| c.into_owned())
        .collect::<Vec<String>>()
        .join("\n")
}
