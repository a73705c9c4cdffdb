let to = Corner { x: c.x + 1, ..c };
Path { start: c, edges: vec![Edge { from_point: c, to }] }
