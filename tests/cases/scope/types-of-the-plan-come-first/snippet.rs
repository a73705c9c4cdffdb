use std::cell::Cell as Counter;

fn kind_of(size: u64) -> Kind {
    if size > 4 { Kind::Large } else { Kind::Small }
}

fn is_file(entry: &repo::Entry) -> bool {
    entry.kind == fs_types::Kind::File
}

pub fn list_them() -> Report {
    let found = match repo::entries(".") {
        Ok(found) => found,
        Err(error) => {
            return Report { entries: vec![], last: Some(Error::Unreadable(format!("{error:?}"))) };
        }
    };
    let next = Counter::new(0u32);
    let entries: Vec<Entry> = found
        .iter()
        .filter(|entry| is_file(entry))
        .map(|entry| {
            let number = next.replace(next.get() + 1);
            Entry {
                name: entry.path.clone(),
                kind: kind_of(entry.size),
                place: Cell { row: number / 2, column: number % 2 },
            }
        })
        .collect();
    let last = entries.is_empty().then_some(Error::NothingThere);
    Report { entries, last }
}
