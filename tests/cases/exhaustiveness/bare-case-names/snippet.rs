match l {
    Low => 1,
    Mid => 2,
    High => 3,
}
