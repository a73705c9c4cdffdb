let swapped = regex::replace_all(r"(\w+), (\w+)", "Curie, Marie; Noether, Emmy", "$2 $1")?;
let parts = regex::split(r"\s*[,;]\s*", "a , b;c")?;
let whole = regex::is_match("(?i)^[a-f]+$", "CAFE")?;
Ok((swapped, parts, whole, regex::escape("1+1?")))
