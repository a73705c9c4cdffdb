compile_error!(include_str!("/etc/hostname"))
