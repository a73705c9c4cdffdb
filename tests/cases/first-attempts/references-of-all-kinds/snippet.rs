use std::borrow::Cow;
use std::rc::Rc;

pub fn run(name: String) -> u32 {
    // Text as `&str`, `&String`, `&Box<str>`, `&Rc<str>`, `&Cow<str>`, a part of it.
    let boxed: Box<str> = name.clone().into();
    let shared: Rc<str> = name.as_str().into();
    let cow: Cow<str> = Cow::Borrowed("c");
    repo::read_text("l");
    repo::read_text(&name);
    repo::read_text(&boxed);
    repo::read_text(&shared);
    repo::read_text(&cow);
    repo::read_text(&format!("{name}.txt")[..2]);
    // Lists as `&Vec`, `&[T; N]`, a slice, of what `&vec![…]` gives.
    let names = vec![name.clone()];
    let fixed = [1u8, 2, 3];
    let mut sum = repo::store(&names, &fixed);
    sum += repo::store(&names[..0], &[]);
    sum += repo::store(&[], name.as_bytes());
    sum += repo::store(&vec!["a".to_string()], b"bytes");
    // Records by reference, an optional text as `Option<&str>`.
    let entry = repo::Entry { path: name.clone(), size: 1 };
    sum += repo::save(&entry, None);
    sum += repo::save(&entry, Some("note"));
    sum += repo::save(&entry, Some(&name));
    sum += repo::save(&repo::Entry { path: "p".into(), ..entry.clone() }, names.first().map(|first| first.as_str()));
    sum += repo::total(&[1, 2], &[entry]);
    sum
}
