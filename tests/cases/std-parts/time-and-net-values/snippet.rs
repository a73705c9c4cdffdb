use std::{net::Ipv4Addr, time::Duration};
let a: Ipv4Addr = "127.0.0.1".parse().unwrap();
format!("{}{:?}", a.is_loopback(), Duration::from_millis(1500))