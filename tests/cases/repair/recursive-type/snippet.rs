enum List {
    Node(u32, List),
    End,
}

fn length(list: &List) -> u32 {
    match list {
        List::Node(_, rest) => 1 + length(rest),
        List::End => 0,
    }
}

pub fn run(n: u32) -> u32 {
    let list = (0..n).fold(List::End, |list, item| List::Node(item, list));
    length(&list)
}
