Ok(vec![out::delete("note")?, out::delete("note")?, out::delete("never")?])
