let first = xs.slice(0, 2);
let initial = xs[0].charAt(0);
let start = xs[0].substring(0, 3);
format!("{first:?}{initial}{start}")
