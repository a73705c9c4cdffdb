Person { name: "Ada".into(), born: 1815, tags: vec![], age: 3 }
