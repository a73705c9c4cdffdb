calendar::to_rfc3339(calendar::now()).unwrap()
