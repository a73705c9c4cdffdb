/* /* } */ } */
let brace = ['}', '{', '\''];
brace.len().to_string() // }
