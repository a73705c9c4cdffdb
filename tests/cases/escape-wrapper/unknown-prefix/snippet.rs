let text = k#type;
let other = z"zstr";
String::new()
