bus::send(&xs, None); bus::send(&["z".into()], Some("k"));
