//! Reads the objects out of an rlib.
//!
//! An rlib is an `ar` archive with GNU names: objects and `lib.rmeta`, which is packed as an object too and would come
//! along into every module if the whole archive were linked.

/// The members that are code, as name and bytes, in the archive's order.
pub(super) fn objects(archive: &[u8]) -> Result<Vec<(String, &[u8])>, &'static str> {
    const MAGIC: &[u8] = b"!<arch>\n";
    const HEADER: usize = 60;
    let mut rest = archive
        .strip_prefix(MAGIC)
        .ok_or("it has no archive's head")?;
    let mut long_names: &[u8] = &[];
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (header, behind) = rest
            .split_at_checked(HEADER)
            .ok_or("a member's head is cut")?;
        let field = |range: std::ops::Range<usize>| {
            std::str::from_utf8(&header[range])
                .map(str::trim_end)
                .map_err(|_| "a member's head is no text")
        };
        let size: usize = field(48..58)?
            .parse()
            .map_err(|_| "a member's size is no number")?;
        let (data, behind) = behind.split_at_checked(size).ok_or("a member is cut")?;
        // Members start at even offsets.
        rest = behind.get(size % 2..).unwrap_or_default();
        let name = match field(0..16)? {
            "//" => {
                long_names = data;
                continue;
            }
            "/" | "/SYM64/" => continue,
            name => match name.strip_prefix('/').map(str::parse::<usize>) {
                Some(Ok(offset)) => {
                    let tail = long_names
                        .get(offset..)
                        .ok_or("a member's name is missing")?;
                    let end = tail
                        .iter()
                        .position(|byte| *byte == b'\n')
                        .unwrap_or(tail.len());
                    String::from_utf8_lossy(&tail[..end]).into_owned()
                }
                _ => name.to_owned(),
            },
        };
        let name = name.trim_end_matches('/');
        if name.ends_with(".o") {
            found.push((name.to_owned(), data));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::objects;

    fn member(name: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = format!(
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            0,
            0,
            0,
            644,
            data.len()
        )
        .into_bytes();
        bytes.extend_from_slice(data);
        if data.len() % 2 == 1 {
            bytes.push(b'\n');
        }
        bytes
    }

    #[test]
    fn objects_are_found_by_short_and_long_names_and_metadata_is_left() {
        let mut archive = b"!<arch>\n".to_vec();
        archive.extend(member("/", b"table"));
        archive.extend(member("//", b"a-name-longer-than-sixteen.rcgu.o/\n"));
        archive.extend(member("lib.rmeta/", b"odd"));
        archive.extend(member("/0", b"long"));
        archive.extend(member("short.o/", b"abc"));
        let found = objects(&archive).unwrap();
        assert_eq!(
            found,
            [
                ("a-name-longer-than-sixteen.rcgu.o".to_owned(), &b"long"[..]),
                ("short.o".to_owned(), &b"abc"[..])
            ]
        );
        for end in 9..archive.len() - 1 {
            // Cut anywhere it is an error or shorter, never a panic.
            let _ = objects(&archive[..end]);
        }
        assert!(objects(b"ELF").is_err());
    }
}
