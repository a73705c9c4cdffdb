let letter = bank::letter(1);
for name in ["a", "b"] {
    let _ = bank::mail(&[name.to_string()], &letter, None);
}
"went on".to_string()
