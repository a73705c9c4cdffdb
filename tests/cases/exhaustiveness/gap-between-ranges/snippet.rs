match score {
    0..=59 => "F",
    60..100 => "P",
    101.. => "?",
}
.to_string()
