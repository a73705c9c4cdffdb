bus::send(xs, Some("k".to_string()));
