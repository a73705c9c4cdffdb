match xs.as_slice() {
    [] => 0,
    [first, .., last] => first + last,
}
