struct Node { value: i32, next: Option<Box<Node>> }
fn build(xs: &[i32]) -> Option<Box<Node>> { xs.iter().rev().fold(None, |next, &value| Some(Box::new(Node { value, next }))) }
fn reverse(mut head: Option<Box<Node>>) -> Option<Box<Node>> {
    let mut done = None;
    while let Some(mut node) = head { head = node.next.take(); node.next = done; done = Some(node); }
    done
}
fn remove(mut place: &mut Option<Box<Node>>, value: i32) {
    while place.as_ref().is_some_and(|node| node.value != value) { place = &mut place.as_mut().unwrap().next; }
    if let Some(node) = place.take() { *place = node.next; }
}
fn last(head: &mut Option<Box<Node>>) -> &mut Option<Box<Node>> {
    match head { None => head, Some(node) => last(&mut node.next) }
}
let mut list = reverse(build(&xs));
remove(&mut list, 2);
*last(&mut list) = build(&[99]);
std::iter::successors(list.as_deref(), |node| node.next.as_deref()).map(|node| node.value).collect()
