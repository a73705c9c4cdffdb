let name = ["name".to_string()];
vec![
    csv::table("id,title\n1,x\n", ',', &name).unwrap_err(),
    csv::table("id,name\n1,x\n2\n", ',', &name).unwrap_err(),
    csv::parse("a", '"').unwrap_err(),
]
