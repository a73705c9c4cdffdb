pub fn run() -> String {
    std::__print_line(format_args!("{}", 1));
    format!("{:?} {}", std::vec::from_elem(7u8, 3), std::fmt::format(format_args!("{:>3}", 5)))
}
