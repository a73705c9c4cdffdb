match s {
    "one" => 1,
    "two" => 2,
    _ => 0,
}
