let mut j = j;
if let Some(name) = j.as_mut().map(|j| &mut j.name) { name.push('!'); }
let job = j.get_or_insert_with(|| Job { name: String::new(), done: None });
let mut out = vec![job.name.clone()];
job.done.insert(true);
out.push(format!("{:?}", job.done));
out.push(format!("old {:?}", job.done.replace(false)));
out.push(format!("{:?}", job.done.take_if(|done| *done)));
let parsed: Result<Option<u8>, std::num::ParseIntError> = None.map(str::parse).transpose();
out.push(format!("{parsed:?}"));
out.push(format!("{:?}", None::<Job>.ok_or_else(|| "no job").map(|j| j.name)));
out.push(j.as_ref().is_none_or(|j| j.done == Some(false)).to_string());
let mut text = Some("abc".to_string());
text.as_deref_mut().map(str::make_ascii_uppercase);
out.push(text.map_or_else(|| 0, |t| t.len()).to_string());
out
