//! The WIT packages that every plan can name without having them in `deps/`.

/// Name for messages and text of each file. One entry is one package.
pub(super) fn packages() -> [(&'static str, &'static str); 2] {
    [
        (
            "lacuna:fs (built in)",
            include_str!("../../../wit/fs/fs.wit"),
        ),
        (
            "lacuna:hole (built in)",
            include_str!("../../../wit/hole/console.wit"),
        ),
    ]
}
