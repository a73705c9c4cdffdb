std::net::TcpStream::connect("127.0.0.1:80").is_ok()
