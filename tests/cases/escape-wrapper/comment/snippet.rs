String::new() /* and /* so */ on
