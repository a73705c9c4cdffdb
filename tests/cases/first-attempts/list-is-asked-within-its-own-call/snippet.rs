pub fn run(text: String) -> String {
    let mut list: Vec<&str> = text.split(',').collect();
    list.extend(["c", "d", "e"]);
    let again = &mut list;
    again.swap(0, again.len() - 1);
    list.rotate_left(list.len() / 2);
    list.rotate_right(list.len() - 4);
    let (left, right) = list.split_at_mut(list.len() / 2);
    std::mem::swap(&mut left[0], &mut right[0]);
    if let Some(last) = list.get_mut(list.len() - 1) {
        *last = "z";
    }
    if let Some(part) = list.get_mut(1..3) {
        part.reverse();
    }
    for pair in list.chunks_mut(list.len() / 2) {
        pair.reverse();
    }
    list.join("")
}
