let at = p.at;
let again = p.at.0;
let Person { mut name, tags, .. } = p;
let taken = std::mem::take(&mut name);
name.push_str("refilled");
let mut v = vec![1, 2, 3];
let first = &mut v[0];
*first = 9;
fn grow(v: &mut Vec<i32>) { v.push(4) }
let r = &mut v;
grow(r);
r.retain(|x| *x > 0);
let (mut a, mut b) = ("a".to_string(), "b".to_string());
std::mem::swap(&mut a, &mut b);
let old = std::mem::replace(&mut b, String::new());
vec![taken, tags.join(","), format!("{}-{again}", at.0), name, format!("{v:?}"), format!("{a}:{old}")]
