let name = ["name".to_string()];
(
    csv::table("id,title\n1,x\n", ',', &name).unwrap_err(),
    csv::table("id,name\n1,x\n2\n", ',', &name).unwrap_err(),
    csv::parse("a", '"').unwrap_err().contains("can't be a delimiter"),
)
